#include "wire/json_number.h"

/* As many as surely fit an int64_t together with any count of digits. No honest number is refused:
 * a double ends at 308. */
enum { EXPONENT_DIGITS = 9 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(struct bytes text, size_t at)
{
    while (at < text.n && is_digit(text.p[at]))
        at++;
    return at;
}

static int fail(struct json_error *error, const char *reason, size_t at)
{
    *error = (struct json_error){reason, at};
    return -1;
}

/* `at` is behind the e. Zeros in front do not count: 1e0000000001 is legal JSON, if odd. */
static int scan_exponent(struct bytes text, size_t at, size_t *end_r, struct json_error *error)
{
    if (at < text.n && (text.p[at] == '+' || text.p[at] == '-')) at++;
    size_t end = skip_digits(text, at);
    if (end == at) return fail(error, "malformed number", at);
    while (at < end && text.p[at] == '0')
        at++;
    if (end - at > EXPONENT_DIGITS) return fail(error, "exponent too large", at);
    *end_r = end;
    return 0;
}

int json_number_scan(struct bytes text, size_t *size_r, bool *integer_r, struct json_error *error)
{
    size_t start = text.p[0] == '-';
    size_t at = skip_digits(text, start);
    if (at == start) return fail(error, "malformed number", at);
    if (text.p[start] == '0' && at > start + 1) return fail(error, "leading zero", start);
    *integer_r = true;
    if (at < text.n && text.p[at] == '.') {
        size_t end = skip_digits(text, at + 1);
        if (end == at + 1) return fail(error, "malformed number", end);
        *integer_r = false;
        at = end;
    }
    if (at < text.n && (text.p[at] == 'e' || text.p[at] == 'E')) {
        if (scan_exponent(text, at + 1, &at, error) != 0) return -1;
        *integer_r = false;
    }
    *size_r = at;
    return 0;
}

/* Returns how many zeros it took away. */
static size_t trim_start(struct bytes *digits)
{
    size_t zeros = 0;
    while (zeros < digits->n && digits->p[zeros] == '0')
        zeros++;
    digits->p += zeros;
    digits->n -= zeros;
    return zeros;
}

static void trim_end(struct bytes *digits)
{
    while (digits->n > 0 && digits->p[digits->n - 1] == '0')
        digits->n--;
}

/* The scan has bounded the digits that count, so this cannot overflow. */
static int64_t read_exponent(struct bytes text)
{
    bool negative = text.n > 0 && text.p[0] == '-';
    int64_t value = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (is_digit(text.p[i])) value = value * 10 + (text.p[i] - '0');
    }
    return negative ? -value : value;
}

struct json_number json_number_read(struct bytes text)
{
    struct json_number n = {.negative = text.p[0] == '-'};
    size_t start = n.negative;
    size_t at = skip_digits(text, start);
    n.whole = (struct bytes){text.p + start, at - start};
    n.fraction = (struct bytes){text.p + at, 0};
    if (at < text.n && text.p[at] == '.') {
        size_t end = skip_digits(text, at + 1);
        n.fraction = (struct bytes){text.p + at + 1, end - at - 1};
        at = end;
    }
    if (at < text.n) n.point = read_exponent((struct bytes){text.p + at + 1, text.n - at - 1});

    /* Each digit before the point moves it one to the right; zeros right behind it, if nothing
     * comes before, move it to the left. Zeros at the end change nothing: only the digits. */
    trim_start(&n.whole);
    n.point += (int64_t)n.whole.n;
    if (n.whole.n == 0) n.point -= (int64_t)trim_start(&n.fraction);
    trim_end(&n.fraction);
    if (n.fraction.n == 0) trim_end(&n.whole);
    /* -0 and 0e5 are plain zero. */
    return n.whole.n + n.fraction.n ? n : (struct json_number){0};
}

/* The digits are in two places, with the point between; these two make one run of them. */
static size_t digit_count(const struct json_number *n)
{
    return n->whole.n + n->fraction.n;
}

static char digit(const struct json_number *n, size_t i)
{
    return i < n->whole.n ? n->whole.p[i] : n->fraction.p[i - n->whole.n];
}

bool json_number_equal(const struct json_number *a, const struct json_number *b)
{
    size_t count = digit_count(a);
    if (a->negative != b->negative || a->point != b->point || count != digit_count(b)) return false;
    for (size_t i = 0; i < count; i++) {
        if (digit(a, i) != digit(b, i)) return false;
    }
    return true;
}

bool json_number_int(const struct json_number *n, int64_t *value_r)
{
    size_t count = digit_count(n);
    /* INT64_MAX has 19 digits, which fit the uint64_t below; digits behind the point are no
     * integer. */
    if (n->point > 19 || n->point < (int64_t)count) return false;
    uint64_t value = 0;
    for (size_t i = 0; i < (size_t)n->point; i++)
        value = value * 10 + (uint64_t)(i < count ? digit(n, i) - '0' : 0);
    if (value > (uint64_t)INT64_MAX + n->negative) return false;
    if (n->negative)
        *value_r = -(int64_t)(value - 1) - 1; /* in steps that INT64_MIN can take */
    else
        *value_r = (int64_t)value;
    return true;
}

static void add_digits(struct buf *out, const struct json_number *n, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        buf_addc(out, digit(n, i));
}

static void add_zeros(struct buf *out, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        buf_addc(out, '0');
}

static void write_scientific(struct buf *out, const struct json_number *n, size_t count)
{
    add_digits(out, n, 0, 1);
    if (count > 1) buf_addc(out, '.');
    add_digits(out, n, 1, count);
    buf_addz(out, n->point > 0 ? "e+" : "e");
    buf_add_int(out, n->point - 1);
}

void json_number_write(struct buf *out, const struct json_number *n)
{
    size_t count = digit_count(n);
    if (n->negative) buf_addc(out, '-');
    if (count == 0) {
        buf_addc(out, '0');
    } else if (n->point > 21 || n->point < -5) {
        write_scientific(out, n, count);
    } else if (n->point <= 0) {
        buf_addz(out, "0.");
        add_zeros(out, -n->point);
        add_digits(out, n, 0, count);
    } else if (n->point >= (int64_t)count) {
        add_digits(out, n, 0, count);
        add_zeros(out, n->point - (int64_t)count);
    } else {
        add_digits(out, n, 0, (size_t)n->point);
        buf_addc(out, '.');
        add_digits(out, n, (size_t)n->point, count);
    }
}
