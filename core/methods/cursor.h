/* The cursors of lists: which offer the page before ended with, as an opaque text (2026-07-28
 * server/utilities/pagination).
 *
 * A cursor names no place but a key: after a reload it goes on behind where that key is, or would
 * be, so none grows stale, and nobody misses or sees twice what was there all the time. It is not
 * sealed: whoever makes one up sees a part of a list that is there for all. */
#ifndef LUNASK_METHODS_CURSOR_H
#define LUNASK_METHODS_CURSOR_H

#include "base/buf.h"
#include "script/offer.h"

enum { CURSOR_KEY_BYTES = 4096 }; /* of the longest key that gets one */

/* Adds the cursor behind `key` to `out`: base64url. */
void cursor_write(enum offer_kind kind, struct bytes key, struct buf *out);

/* Adds the key of the cursor `text` to `key`. Returns 0; or -1, with nothing added, if it is none
 * of a list of this kind. */
int cursor_read(struct bytes text, enum offer_kind kind, struct buf *key);

#endif
