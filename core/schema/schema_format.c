#include "schema/schema_format.h"

#include <arpa/inet.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static struct bytes from(struct bytes b, size_t at)
{
    return (struct bytes){b.p + at, b.n - at};
}

/* Returns the place of `c` in `b`, or b.n. */
static size_t find(struct bytes b, char c)
{
    const char *p = b.n ? memchr(b.p, c, b.n) : NULL;
    return p ? (size_t)(p - b.p) : b.n;
}

/* inet_pton is strict where it matters: no leading zeros, no missing parts. */
static bool is_ip(int family, struct bytes text)
{
    char copy[INET6_ADDRSTRLEN];
    struct in6_addr address;
    if (text.n == 0 || text.n >= sizeof copy || memchr(text.p, 0, text.n)) return false;
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    return inet_pton(family, copy, &address) == 1;
}

/* Reads `n` digits at `at`; -1 if they are not digits or not there. */
static int number(struct bytes text, size_t at, size_t n)
{
    int value = 0;
    if (at + n > text.n) return -1;
    for (size_t i = at; i < at + n; i++) {
        if (!is_digit(text.p[i])) return -1;
        value = value * 10 + (text.p[i] - '0');
    }
    return value;
}

static bool is_date(struct bytes text)
{
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (text.n != 10 || text.p[4] != '-' || text.p[7] != '-') return false;
    int year = number(text, 0, 4), month = number(text, 5, 2), day = number(text, 8, 2);
    if (year < 0 || month < 1 || month > 12 || day < 1) return false;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day <= DAYS[month - 1] + (month == 2 && leap);
}

/* Reads "Z" or "+hh:mm", all of `text`, as minutes ahead of UTC. */
static bool read_offset(struct bytes text, int *minutes_r)
{
    *minutes_r = 0;
    if (text.n == 1) return text.p[0] == 'Z' || text.p[0] == 'z';
    if (text.n != 6 || text.p[3] != ':' || !is_one_of(text.p[0], "+-")) return false;
    int hour = number(text, 1, 2), minute = number(text, 4, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return false;
    *minutes_r = (text.p[0] == '-' ? -1 : 1) * (hour * 60 + minute);
    return true;
}

/* A leap second is one at 23:59:60 in UTC, wherever on the clock that is in the zone given. */
static bool is_time(struct bytes text)
{
    if (text.n < 9 || text.p[2] != ':' || text.p[5] != ':') return false;
    int hour = number(text, 0, 2), minute = number(text, 3, 2), second = number(text, 6, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return false;
    size_t at = 8;
    if (text.p[at] == '.') {
        size_t start = ++at;
        while (at < text.n && is_digit(text.p[at]))
            at++;
        if (at == start) return false;
    }
    int ahead;
    if (!read_offset(from(text, at), &ahead)) return false;
    const int day = 24 * 60;
    int utc = ((hour * 60 + minute - ahead) % day + day) % day;
    return second < 60 || utc == day - 1;
}

static bool is_date_time(struct bytes text)
{
    return text.n > 11 && is_one_of(text.p[10], "Tt") && is_date((struct bytes){text.p, 10}) &&
           is_time(from(text, 11));
}

/* Dot-separated labels of letters, digits and inner hyphens. */
static bool is_domain(struct bytes text)
{
    struct bytes label;
    /* 255 and 63 bytes: RFC 1035, 2.3.4. */
    if (text.n == 0 || text.n > 255) return false;
    while (bytes_split(&text, '.', &label)) {
        if (label.n == 0 || label.n > 63) return false;
        if (label.p[0] == '-' || label.p[label.n - 1] == '-') return false;
        for (size_t i = 0; i < label.n; i++)
            if (!is_letter(label.p[i]) && !is_digit(label.p[i]) && label.p[i] != '-') return false;
    }
    return true;
}

/* RFC 5321, 4.1.2, Dot-string. */
static bool is_dot_atom(struct bytes text)
{
    struct bytes atom;
    while (bytes_split(&text, '.', &atom)) {
        if (atom.n == 0) return false;
        for (size_t i = 0; i < atom.n; i++)
            if (!is_letter(atom.p[i]) && !is_digit(atom.p[i]) &&
                !is_one_of(atom.p[i], "!#$%&'*+-/=?^_`{|}~"))
                return false;
    }
    return true;
}

/* What stands between the quotes of a local part (RFC 5321, 4.1.2, QcontentSMTP). */
static bool is_quoted(struct bytes text)
{
    for (size_t i = 0; i < text.n; i++) {
        bool escaped = text.p[i] == '\\';
        if (escaped && ++i == text.n) return false;
        if (text.p[i] < ' ' || text.p[i] > '~' || (text.p[i] == '"' && !escaped)) return false;
    }
    return true;
}

static bool is_address_literal(struct bytes text)
{
    struct bytes prefix = BYTES("IPv6:");
    if (text.n > prefix.n && bytes_equal_nocase((struct bytes){text.p, prefix.n}, prefix))
        return is_ip(AF_INET6, from(text, prefix.n));
    return is_ip(AF_INET, text);
}

/* The last "@" parts the two: a quoted local part may hold more of them. */
static bool is_email(struct bytes text)
{
    size_t at = text.n;
    while (at > 0 && text.p[at - 1] != '@')
        at--;
    /* 64 bytes: RFC 5321, 4.5.3.1.1. */
    if (at < 2 || at - 1 > 64) return false;
    struct bytes local = {text.p, at - 1}, domain = from(text, at);
    bool quoted = local.p[0] == '"';
    if (quoted && (local.n < 2 || local.p[local.n - 1] != '"')) return false;
    if (quoted ? !is_quoted((struct bytes){local.p + 1, local.n - 2}) : !is_dot_atom(local))
        return false;
    if (domain.n > 2 && domain.p[0] == '[' && domain.p[domain.n - 1] == ']')
        return is_address_literal((struct bytes){domain.p + 1, domain.n - 2});
    return is_domain(domain);
}

/* Unreserved characters, percent-encoded ones, sub-delims and those of `more`. */
static bool is_uri_text(struct bytes text, const char *more)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '%') {
            if (i + 2 >= text.n || !is_hex(text.p[i + 1]) || !is_hex(text.p[i + 2])) return false;
            i += 2;
        } else if (!is_letter(c) && !is_digit(c) && !is_one_of(c, "-._~!$&'()*+,;=") &&
                   !is_one_of(c, more)) {
            return false;
        }
    }
    return true;
}

/* "v1.fe80::a+en1": the form kept for addresses to come (RFC 3986, 3.2.2, IPvFuture). */
static bool is_ip_future(struct bytes text)
{
    size_t dot = find(text, '.');
    if (dot < 2 || dot + 1 >= text.n || !is_one_of(text.p[0], "vV")) return false;
    for (size_t i = 1; i < dot; i++)
        if (!is_hex(text.p[i])) return false;
    return !memchr(text.p, '%', text.n) && is_uri_text(from(text, dot + 1), ":");
}

/* [userinfo@]host[:port] (RFC 3986, 3.2). Digits and dots that are no IPv4 address are a name. */
static bool is_authority(struct bytes text)
{
    size_t at = find(text, '@');
    if (at < text.n) {
        if (!is_uri_text((struct bytes){text.p, at}, ":")) return false;
        text = from(text, at + 1);
    }
    size_t end;
    if (text.n && text.p[0] == '[') {
        end = find(text, ']');
        if (end == text.n) return false;
        struct bytes literal = {text.p + 1, end - 1};
        if (!is_ip(AF_INET6, literal) && !is_ip_future(literal)) return false;
        end++;
    } else {
        end = find(text, ':');
        if (!is_uri_text((struct bytes){text.p, end}, "")) return false;
    }
    if (end == text.n) return true;
    if (text.p[end] != ':') return false;
    for (size_t i = end + 1; i < text.n; i++)
        if (!is_digit(text.p[i])) return false;
    return true;
}

static bool is_scheme(struct bytes text)
{
    if (text.n == 0 || !is_letter(text.p[0])) return false;
    for (size_t i = 1; i < text.n; i++)
        if (!is_letter(text.p[i]) && !is_digit(text.p[i]) && !is_one_of(text.p[i], "+-."))
            return false;
    return true;
}

/* Cut at ":", "#" and "?" in this order: each may stand freely in what is behind the next. */
static bool is_uri(struct bytes text)
{
    size_t colon = find(text, ':');
    if (colon == text.n || !is_scheme((struct bytes){text.p, colon})) return false;
    struct bytes rest = from(text, colon + 1);
    size_t hash = find(rest, '#');
    if (hash < rest.n && !is_uri_text(from(rest, hash + 1), ":@/?")) return false;
    rest.n = hash;
    size_t query = find(rest, '?');
    if (query < rest.n && !is_uri_text(from(rest, query + 1), ":@/?")) return false;
    rest.n = query;
    if (bytes_starts(rest, BYTES("//"))) {
        rest = from(rest, 2);
        size_t slash = find(rest, '/');
        if (!is_authority((struct bytes){rest.p, slash})) return false;
        rest = from(rest, slash);
    }
    return is_uri_text(rest, ":@/");
}

static bool is_ipv4(struct bytes text)
{
    return is_ip(AF_INET, text);
}

static bool is_ipv6(struct bytes text)
{
    return is_ip(AF_INET6, text);
}

static bool is_uuid(struct bytes text)
{
    if (text.n != 36) return false;
    for (size_t i = 0; i < text.n; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.p[i] != '-' : !is_hex(text.p[i])) return false;
    }
    return true;
}

/* RFC 6901, 3. */
static bool is_json_pointer(struct bytes text)
{
    if (text.n && text.p[0] != '/') return false;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '~' && (i + 1 == text.n || !is_one_of(text.p[i + 1], "01"))) return false;
    return true;
}

const struct schema_format *schema_format_find(struct bytes name)
{
    static const struct schema_format FORMATS[] = {
        {"email", is_email, "an e-mail address such as name@example.org"},
        {"uri", is_uri, "an absolute URI such as https://example.org/page"},
        {"date", is_date, "a date such as 2026-11-30"},
        {"time", is_time, "a time of day with a zone such as 21:20:00Z"},
        {"ipv4", is_ipv4, "an IPv4 address such as 192.0.2.1"},
        {"ipv6", is_ipv6, "an IPv6 address such as 2001:db8::1"},
        {"uuid", is_uuid, "a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
        {"json-pointer", is_json_pointer, "a JSON Pointer such as /items/0"},
        {"date-time", is_date_time, "a date and time with a zone such as 2026-11-30T21:20:00Z"},
    };
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (bytes_equal(name, bytes_of(FORMATS[i].name))) return &FORMATS[i];
    return NULL;
}
