#include "schema/schema_number.h"

#include <math.h>

/* A number as written: digits × 10^exponent, without trailing zeros. `digits` may hold a '.',
 * which stands for nothing; no digits is zero. */
struct decimal {
    struct bytes digits;
    int64_t exponent;
};

/* 18 digits: ten times what is less than such a divisor, and a digit, still fit 64 bits. */
enum { LARGEST_EXPONENT = 1000000, MOST_STEP_DIGITS = 18 };

/* Reads what follows the 'e'; clamped, because more would not change any answer. */
static int64_t read_exponent(struct bytes text)
{
    bool negative = text.n && text.p[0] == '-';
    int64_t value = 0;
    for (size_t i = text.n && (negative || text.p[0] == '+'); i < text.n; i++)
        if (value < LARGEST_EXPONENT) value = value * 10 + (text.p[i] - '0');
    return negative ? -value : value;
}

/* Reads the text of a JSON number; the parser has made sure that it is one. */
static struct decimal read_decimal(struct bytes text)
{
    struct decimal d = {text, 0};
    if (text.n && text.p[0] == '-') d.digits = (struct bytes){text.p + 1, text.n - 1};
    size_t fraction = 0;
    bool in_fraction = false;
    for (size_t i = 0; i < d.digits.n; i++) {
        char c = d.digits.p[i];
        if (c == 'e' || c == 'E') {
            d.exponent = read_exponent((struct bytes){d.digits.p + i + 1, d.digits.n - i - 1});
            d.digits.n = i;
        } else if (c == '.') {
            in_fraction = true;
        } else {
            fraction += in_fraction;
        }
    }
    d.exponent -= (int64_t)fraction;
    for (; d.digits.n; d.digits.n--) {
        char last = d.digits.p[d.digits.n - 1];
        if (last != '0' && last != '.') break;
        d.exponent += last == '0';
    }
    return d;
}

/* Returns the remainder of the digits, `shift` zeros behind them, by `by`. */
static uint64_t remainder_by(struct bytes digits, int64_t shift, uint64_t by)
{
    uint64_t rest = 0;
    for (size_t i = 0; i < digits.n; i++)
        if (digits.p[i] != '.') rest = (rest * 10 + (uint64_t)(digits.p[i] - '0')) % by;
    /* `by` has at most 63 factors 2 and 27 factors 5, so 64 zeros decide for any number of them. */
    if (shift > 64) shift = 64;
    for (int64_t i = 0; i < shift && rest; i++)
        rest = rest * 10 % by;
    return rest;
}

/* Reads up to MOST_STEP_DIGITS significant digits. Returns false if there are more or none. */
static bool read_digits(struct bytes digits, uint64_t *value_r)
{
    uint64_t value = 0;
    unsigned n = 0;
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] == '.') continue;
        value = value * 10 + (uint64_t)(digits.p[i] - '0');
        n += value != 0; /* zeros in front are not significant */
        if (n > MOST_STEP_DIGITS) return false;
    }
    *value_r = value;
    return value != 0;
}

bool schema_number_integral(const struct json *v)
{
    if (!json_is(v, JSON_NUMBER)) return false;
    if (v->integer) return true;
    struct decimal d = read_decimal(v->text);
    return d.digits.n == 0 || d.exponent >= 0;
}

int schema_number_compare(const struct json *a, const struct json *b)
{
    /* Doubles alone would call 2^53 and 2^53 + 1 equal. */
    int64_t ia, ib;
    if (json_int(a, &ia) && json_int(b, &ib)) return (ia > ib) - (ia < ib);
    double da = 0, db = 0;
    json_double(a, &da);
    json_double(b, &db);
    return (da > db) - (da < db);
}

bool schema_number_multiple(const struct json *v, const struct json *step)
{
    struct decimal d = read_decimal(v->text), by = read_decimal(step->text);
    uint64_t divisor;
    if (d.digits.n == 0) return true;
    if (!read_digits(by.digits, &divisor)) {
        double dv = 0, ds = 1;
        return json_double(v, &dv) && json_double(step, &ds) && fmod(dv, ds) == 0;
    }
    int64_t shift = d.exponent - by.exponent;
    /* Digits that do not end in 0 are no multiple of 10, so not of divisor × 10^-shift. */
    if (shift < 0) return false;
    return remainder_by(d.digits, shift, divisor) == 0;
}
