#include "call/pack.h"

#include <assert.h>
#include <string.h>

enum { LENGTH_WIDTH = 4 };

void pack_int(struct buf *out, uint64_t value, unsigned width)
{
    assert(width >= 1 && width <= 8);
    for (unsigned i = width; i-- > 0;)
        buf_addc(out, (char)(unsigned char)(value >> (8 * i)));
}

void pack_raw(struct buf *out, const void *p, size_t n)
{
    buf_add(out, (struct bytes){p, n});
}

void pack_text(struct buf *out, struct bytes text)
{
    assert(text.n <= UINT32_MAX);
    pack_int(out, text.n, LENGTH_WIDTH);
    buf_add(out, text);
}

/* The one place where what is read is measured: `n` is compared with what is left, and never added
 * to anything, so that no length can wrap around. */
static struct bytes cut(struct pack_reader *r, size_t n)
{
    if (r->failed || r->rest.n < n) {
        r->failed = true;
        return (struct bytes){NULL, 0};
    }
    struct bytes part = {r->rest.p, n};
    if (n) r->rest = (struct bytes){r->rest.p + n, r->rest.n - n};
    return part;
}

/* Of a part that was not there nothing is read: 0. */
uint64_t pack_read_int(struct pack_reader *r, unsigned width)
{
    assert(width >= 1 && width <= 8);
    struct bytes part = cut(r, width);
    uint64_t value = 0;
    for (size_t i = 0; i < part.n; i++)
        value = value << 8 | (unsigned char)part.p[i];
    return value;
}

void pack_read_raw(struct pack_reader *r, void *to, size_t n)
{
    struct bytes part = cut(r, n);
    memset(to, 0, n);
    if (part.n) memcpy(to, part.p, part.n);
}

struct bytes pack_read_text(struct pack_reader *r)
{
    size_t n = (size_t)pack_read_int(r, LENGTH_WIDTH);
    return cut(r, n);
}

bool pack_end(const struct pack_reader *r)
{
    return !r->failed && r->rest.n == 0;
}
