#include "base/buf.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_free(struct buf *b)
{
    free(b->p);
    *b = (struct buf){0};
}

void buf_clear(struct buf *b)
{
    b->n = 0;
}

char *buf_reserve(struct buf *b, size_t n)
{
    if (b->cap - b->n < n) {
        size_t cap = b->cap ? b->cap * 2 : 512;
        while (cap - b->n < n)
            cap *= 2;
        b->p = mem_realloc(b->p, cap);
        b->cap = cap;
    }
    return b->p + b->n;
}

void buf_add(struct buf *b, struct bytes data)
{
    if (data.n == 0) return;
    memcpy(buf_reserve(b, data.n), data.p, data.n);
    b->n += data.n;
}

void buf_addz(struct buf *b, const char *text)
{
    buf_add(b, bytes_of(text));
}

void buf_addc(struct buf *b, char c)
{
    *buf_reserve(b, 1) = c;
    b->n++;
}

void buf_add_int(struct buf *b, int64_t value)
{
    char digits[20]; /* as many as -9223372036854775808 takes */
    size_t at = sizeof digits;
    /* Negated as unsigned: there is no -INT64_MIN. */
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0) digits[--at] = '-';
    buf_add(b, (struct bytes){digits + at, sizeof digits - at});
}

void buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    /* Once for the length, so that no text is ever cut; args are used up by it. */
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n <= 0) return;
    char *to = buf_reserve(b, (size_t)n + 1);
    va_start(args, format);
    vsnprintf(to, (size_t)n + 1, format, args);
    va_end(args);
    b->n += (size_t)n;
}

struct bytes buf_bytes(const struct buf *b)
{
    return (struct bytes){b->p, b->n};
}

const char *buf_text(struct buf *b)
{
    *buf_reserve(b, 1) = '\0';
    return b->p;
}

char *buf_take(struct buf *b, size_t *n_r)
{
    *buf_reserve(b, 1) = '\0';
    char *p = b->p;
    if (n_r) *n_r = b->n;
    *b = (struct buf){0};
    return p;
}
