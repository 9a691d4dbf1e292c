#include "wire/headers.h"

#include "wire/utf8.h"

#include <sodium.h>
#include <string.h>

static const struct bytes JSON_TYPE = BYTES_INIT("application/json");
static const struct bytes BASE64_OPEN = BYTES_INIT("=?base64?");
static const struct bytes BASE64_CLOSE = BYTES_INIT("?=");

/* How closely a range of an Accept value names a type; the closest one decides (RFC 9110, 12.5.1).
 * What we send has no parameters, so the plain name is closer than one with some. */
enum fit { FIT_NONE, FIT_ANYTHING, FIT_FAMILY, FIT_WITH_PARAMETERS, FIT_EXACT };

struct parameter {
    struct bytes name;
    struct bytes value; /* without the quotes of a quoted string */
};

static struct bytes from(struct bytes b, size_t at)
{
    return (struct bytes){b.p + at, b.n - at};
}

/* bytes_split for values that may hold quoted strings: a separator inside one does not count. */
static bool cut(struct bytes *rest, char separator, struct bytes *part_r)
{
    bool quoted = false;
    size_t i;

    if (!rest->p) return false;
    for (i = 0; i < rest->n; i++) {
        char c = rest->p[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted && c == '\\')
            i++;
        else if (!quoted && c == separator)
            break;
    }
    if (i < rest->n) {
        *part_r = bytes_trim((struct bytes){rest->p, i});
        *rest = from(*rest, i + 1);
    } else {
        *part_r = bytes_trim(*rest);
        *rest = (struct bytes){NULL, 0};
    }
    return true;
}

/* Moves *rest past the next parameter that is not empty ("a/b;;c=d" is legal). */
static bool next_parameter(struct bytes *rest, struct parameter *p)
{
    struct bytes part, name;

    while (cut(rest, ';', &part)) {
        if (part.n == 0) continue;
        /* A parameter without "=" has an absent value: `part` is used up. */
        (void)bytes_split(&part, '=', &name);
        p->name = bytes_trim(name);
        p->value = bytes_trim(part);
        if (p->value.n >= 2 && p->value.p[0] == '"' && p->value.p[p->value.n - 1] == '"')
            p->value = (struct bytes){p->value.p + 1, p->value.n - 2};
        return true;
    }
    return false;
}

bool headers_is_json(struct bytes content_type)
{
    struct bytes type;
    struct parameter p;

    if (bytes_equal(content_type, JSON_TYPE)) return true; /* nearly always */
    if (!cut(&content_type, ';', &type) || !bytes_equal_nocase(type, JSON_TYPE)) return false;
    while (next_parameter(&content_type, &p))
        if (bytes_equal_nocase(p.name, BYTES("charset")) &&
            !bytes_equal_nocase(p.value, BYTES("utf-8")))
            return false;
    return true;
}

bool headers_is_form(struct bytes content_type)
{
    struct bytes type;
    return cut(&content_type, ';', &type) &&
           bytes_equal_nocase(type, BYTES("application/x-www-form-urlencoded"));
}

static enum fit fit_of(struct bytes range, struct bytes type)
{
    if (bytes_equal(range, BYTES("*/*")) || bytes_equal(range, BYTES("*"))) return FIT_ANYTHING;
    if (bytes_equal_nocase(range, type)) return FIT_EXACT;
    if (range.n < 2 || memcmp(range.p + range.n - 2, "/*", 2) != 0) return FIT_NONE;
    /* A family is compared up to and with its slash: "te" is no part of "text" here. */
    range.n--;
    if (range.n > type.n) return FIT_NONE;
    return bytes_equal_nocase(range, (struct bytes){type.p, range.n}) ? FIT_FAMILY : FIT_NONE;
}

/* 0, 0.000 and the like; any other text is some other weight. */
static bool weighs_nothing(struct bytes q)
{
    bool zero = false;
    for (size_t i = 0; i < q.n; i++) {
        if (q.p[i] != '0' && q.p[i] != '.') return false;
        zero = zero || q.p[i] == '0';
    }
    return zero;
}

/* Reads one element of an Accept value. What comes behind the weight was an extension once and
 * means nothing (RFC 9110, 12.5.1). */
static enum fit read_range(struct bytes element, struct bytes type, bool *admits_r)
{
    struct bytes range = {NULL, 0};
    struct parameter p;
    enum fit fit;
    bool special = false;

    (void)cut(&element, ';', &range);
    fit = fit_of(range, type);
    *admits_r = true;
    while (fit != FIT_NONE && next_parameter(&element, &p)) {
        if (bytes_equal_nocase(p.name, BYTES("q"))) {
            *admits_r = !weighs_nothing(p.value);
            break;
        }
        special = true;
    }
    if (fit != FIT_EXACT || !special) return fit;
    /* Refusing one flavour of a type says nothing about the plain one. */
    return *admits_r ? FIT_WITH_PARAMETERS : FIT_NONE;
}

bool headers_accepts(struct bytes accept, struct bytes type)
{
    enum fit best = FIT_NONE;
    bool admitted = false;
    struct bytes element;

    if (bytes_trim(accept).n == 0) return true;
    while (cut(&accept, ',', &element)) {
        bool admits;
        enum fit fit = read_range(element, type, &admits);
        if (fit == FIT_NONE || fit < best) continue;
        /* Of two equally close ones, one that admits is enough. */
        admitted = fit > best ? admits : admitted || admits;
        best = fit;
    }
    return admitted;
}

/* Visible ASCII, space and tab: what a field value may hold (RFC 9110, 5.5) without the obsolete
 * rest. */
static bool is_plain(struct bytes value)
{
    for (size_t i = 0; i < value.n; i++)
        if ((value.p[i] < ' ' && value.p[i] != '\t') || value.p[i] > '~') return false;
    return true;
}

static bool is_encoded(struct bytes value)
{
    return value.n >= BASE64_OPEN.n + BASE64_CLOSE.n && bytes_starts(value, BASE64_OPEN) &&
           bytes_equal(from(value, value.n - BASE64_CLOSE.n), BASE64_CLOSE);
}

int headers_decode_value(struct bytes value, struct buf *out)
{
    size_t n;
    char *to;

    if (!is_encoded(value)) {
        if (!is_plain(value)) return -1;
        buf_add(out, value);
        return 0;
    }
    value = from(value, BASE64_OPEN.n);
    value.n -= BASE64_CLOSE.n;
    /* Decoding makes it shorter, so this is room enough; out->n moves only when all is well. */
    to = buf_reserve(out, value.n + 1);
    if (sodium_base642bin((unsigned char *)to, value.n, value.p, value.n, NULL, &n, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        return -1;
    if (!utf8_valid((struct bytes){to, n})) return -1;
    out->n += n;
    return 0;
}
