/* JSON numbers compared as the decimals they are written as: 0.0075 is a multiple of 0.0001, and
 * 9007199254740993 is more than 9007199254740992, whatever doubles say. */
#ifndef LUNASK_SCHEMA_SCHEMA_NUMBER_H
#define LUNASK_SCHEMA_SCHEMA_NUMBER_H

#include "wire/json.h"

/* Returns true for a number without a fractional part, in whatever notation. */
bool schema_number_integral(const struct json *v);

/* Returns <0, 0 or >0. Exact for integers of 64 bits, as doubles else. */
int schema_number_compare(const struct json *a, const struct json *b);

/* Returns true if `v` is a multiple of `step` (> 0). Exact if `step` has at most 18 significant
 * digits, by doubles else. */
bool schema_number_multiple(const struct json *v, const struct json *step);

#endif
