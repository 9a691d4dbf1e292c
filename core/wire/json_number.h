/* The numbers of JSON text: their grammar, and their exact value, which no double can hold for all
 * of them. A value is ±0.DIGITS × 10^point, the digits with no zero at either end, so that equal
 * numbers have equal parts whatever their notation.
 *
 *   text     whole  fraction  point
 *   120.50   "120"  "5"        3       0.1205 × 10^3
 *   0.0012   ""     "12"      -2       0.12 × 10^-2
 *   12e2     "12"   ""         4       0.12 × 10^4 */
#ifndef LUNASK_WIRE_JSON_NUMBER_H
#define LUNASK_WIRE_JSON_NUMBER_H

#include "base/buf.h"
#include "wire/json.h"

#include <stdint.h>

struct json_number {
    bool negative;         /* never for zero */
    struct bytes whole;    /* the digits before the decimal point as written, trimmed */
    struct bytes fraction; /* the digits behind it, trimmed; zero has none at all */
    int64_t point;         /* beyond 10^9 only by the number of digits; no sum of ours overflows */
};

/* Finds the end of the number that begins at text.p[0], a digit or '-'. Returns 0 with the bytes
 * it takes and whether it is without fraction and exponent; or -1 with *error filled, `at` counted
 * from text.p. An exponent of more than nine digits is refused. */
int json_number_scan(struct bytes text, size_t *size_r, bool *integer_r, struct json_error *error);

/* Reads the value of a scanned number; its digits stay in `text`. */
struct json_number json_number_read(struct bytes text);

bool json_number_equal(const struct json_number *a, const struct json_number *b);

/* Returns false if the value is no integer of 64 bits, with *value_r untouched. */
bool json_number_int(const struct json_number *n, int64_t *value_r);

/* Writes the normal form: the notation ECMAScript has for numbers (ECMA-262, Number::toString),
 * with all digits kept. That is plain decimal from 1e-6 up to below 1e21, otherwise d.ddde±x;
 * integers have no point. Bounded by the digits given plus 21 zeros, so 1e999999999 does not write
 * a gigabyte. */
void json_number_write(struct buf *out, const struct json_number *n);

#endif
