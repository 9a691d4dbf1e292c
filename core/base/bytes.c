#include "base/bytes.h"

#include <string.h>
#include <strings.h>

struct bytes bytes_of(const char *text)
{
    return (struct bytes){text, text ? strlen(text) : 0};
}

bool bytes_equal(struct bytes a, struct bytes b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Most names differ in their first letter, which costs no call to see: letters that are equal but
 * for their case are the same with this bit set. */
bool bytes_equal_nocase(struct bytes a, struct bytes b)
{
    if (a.n != b.n || a.n == 0) return a.n == b.n;
    return (a.p[0] | 0x20) == (b.p[0] | 0x20) && strncasecmp(a.p, b.p, a.n) == 0;
}

bool bytes_starts(struct bytes b, struct bytes prefix)
{
    return b.n >= prefix.n && bytes_equal((struct bytes){b.p, prefix.n}, prefix);
}

int bytes_compare(struct bytes a, struct bytes b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    if (order != 0) return order;
    return (a.n > b.n) - (a.n < b.n);
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

struct bytes bytes_trim(struct bytes b)
{
    while (b.n > 0 && blank(b.p[0])) {
        b.p++;
        b.n--;
    }
    while (b.n > 0 && blank(b.p[b.n - 1]))
        b.n--;
    return b;
}

/* A NULL in rest->p is how the next call knows that the last part was given. */
bool bytes_split(struct bytes *rest, char separator, struct bytes *part_r)
{
    if (!rest->p) return false;
    const char *end = memchr(rest->p, separator, rest->n);
    if (!end) {
        *part_r = *rest;
        *rest = (struct bytes){NULL, 0};
        return true;
    }
    part_r->p = rest->p;
    part_r->n = (size_t)(end - rest->p);
    rest->n -= part_r->n + 1;
    rest->p = end + 1;
    return true;
}
