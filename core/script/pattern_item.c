#include "script/pattern_item.h"

#include <string.h>

static inline bool is_within(unsigned char c, unsigned char low, unsigned char high)
{
    return (unsigned char)(c - low) <= high - low;
}

static inline bool is_letter(unsigned char c)
{
    return is_within(c | 0x20, 'a', 'z');
}

static inline bool is_digit(unsigned char c)
{
    return is_within(c, '0', '9');
}

/* Whether the class %`name` has `c`; any other byte after a % stands for itself. */
static inline bool class_has(unsigned char name, unsigned char c)
{
    bool has;
    switch (name | 0x20) {
    case 'a':
        has = is_letter(c);
        break;
    case 'c':
        has = c < 0x20 || c == 0x7F;
        break;
    case 'd':
        has = is_digit(c);
        break;
    case 'g':
        has = is_within(c, '!', '~');
        break;
    case 'l':
        has = is_within(c, 'a', 'z');
        break;
    case 'p':
        has = is_within(c, '!', '~') && !is_letter(c) && !is_digit(c);
        break;
    case 's':
        has = c == ' ' || is_within(c, '\t', '\r');
        break;
    case 'u':
        has = is_within(c, 'A', 'Z');
        break;
    case 'w':
        has = is_letter(c) || is_digit(c);
        break;
    case 'x':
        has = is_digit(c) || is_within(c | 0x20, 'a', 'f');
        break;
    case 'z': /* no longer in the manual, still in Lua 5.4 */
        has = c == 0;
        break;
    default:
        return name == c;
    }
    return has == !is_within(name, 'A', 'Z');
}

/* `p` is behind the '[' and `last` at the ']'. */
static bool set_has(const char *p, const char *last, unsigned char c)
{
    bool found = true;
    if (*p == '^') {
        found = false;
        p++;
    }
    while (p < last) {
        unsigned char low = (unsigned char)*p;
        if (low == '%') {
            if (class_has((unsigned char)p[1], c)) return found;
            p += 2;
        } else if (last - p > 2 && p[1] == '-') {
            if (low <= c && c <= (unsigned char)p[2]) return found;
            p += 3;
        } else {
            if (low == c) return found;
            p++;
        }
    }
    return !found;
}

/* A ']' that comes first is part of the set. */
const char *pattern_item_set_end(const char *p, const char *pattern_end)
{
    p++;
    if (p < pattern_end && *p == '^') p++;
    for (const char *first = p; p < pattern_end; p++) {
        if (*p == ']' && p > first) return p + 1;
        if (*p == '%' && p + 1 < pattern_end) p++;
    }
    return NULL;
}

bool pattern_item_includes(struct pattern_item item, unsigned char c)
{
    if (*item.p == '%') return class_has((unsigned char)item.p[1], c);
    return set_has(item.p + 1, item.end - 1, c);
}

const char *pattern_item_run(struct pattern_item item, const char *s, const char *end, bool has)
{
    switch (*item.p) {
    case '.':
        return has ? end : s;
    case '%':
        while (s < end && class_has((unsigned char)item.p[1], (unsigned char)*s) == has)
            s++;
        return s;
    case '[':
        while (s < end && set_has(item.p + 1, item.end - 1, (unsigned char)*s) == has)
            s++;
        return s;
    default:
        if (!has) {
            s = memchr(s, *item.p, (size_t)(end - s));
            return s ? s : end;
        }
        while (s < end && *s == *item.p)
            s++;
        return s;
    }
}
