/* Regular expressions of ECMA-262 with the u flag, put into the words of PCRE2.
 *
 * The two look alike and differ where it hurts: \s knows the spaces of Unicode in one of them, \v
 * and "." mean different things, and PCRE2 has syntax that no other reader of a schema understands.
 * A schema goes to clients too, so what ECMA-262 doesn't have is refused here. More lenient than
 * the u flag in two things, as many schemas need them: any punctuation may be escaped, and a brace
 * or bracket that closes or repeats nothing is itself. */
#ifndef LUNASK_SCHEMA_SCHEMA_ECMA_H
#define LUNASK_SCHEMA_SCHEMA_ECMA_H

#include "base/buf.h"
#include "base/error.h"

/* Adds `text` to `out` as PCRE2 reads it under the options of schema_pattern.c. Returns -1 with
 * what isn't ECMA-262 and the byte where it begins ("\A is not in ECMA-262: ^ is the start of the
 * text, at character 0"). What both know to be a fault, such as a parenthesis that isn't closed, is
 * left for PCRE2 to tell. */
int schema_ecma_translate(struct bytes text, struct buf *out, struct error *error);

#endif
