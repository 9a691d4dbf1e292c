/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. Text is
 * checked once, where it comes in; behind that everything may rely on it. */
#ifndef LUNASK_WIRE_UTF8_H
#define LUNASK_WIRE_UTF8_H

#include "base/bytes.h"

#include <stdint.h>

/* Reads one code point from the front of *rest and moves *rest behind it. Returns false at the end
 * and at an invalid byte (then rest->n > 0 and *rest has not moved). */
bool utf8_next(struct bytes *rest, uint32_t *code_r);

bool utf8_valid(struct bytes text);

/* Returns the number of code points of valid text: the length JSON Schema means. */
size_t utf8_length(struct bytes text);

/* Writes `code` as 1 to 4 bytes and returns how many. The code is a valid one: no surrogate. */
size_t utf8_encode(uint32_t code, char out[4]);

#endif
