/* base64url without padding (RFC 4648, section 5), strictly: every run of bytes has one text.
 *
 * A lenient reader would take several texts for one state: with spare bits set, with padding, with
 * a line break. Nobody could forge anything by that, but what is one thing should have one name. */
#ifndef LUNASK_CALL_BASE64URL_H
#define LUNASK_CALL_BASE64URL_H

#include "base/buf.h"

void base64url_add(struct buf *out, const void *p, size_t n);

/* Reads `text` into `to`, which has room for `room` bytes. Returns 0 with their number in *n_r, or
 * -1 if it is not the text that base64url_add writes for some run of at most `room` bytes: with
 * padding, white space, characters of other alphabets, or spare bits that are not zero. What `to`
 * then holds is undefined. */
int base64url_read(struct bytes text, void *to, size_t room, size_t *n_r);

#endif
