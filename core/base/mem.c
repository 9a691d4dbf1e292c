#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p, size_t n)
{
    if (!p) {
        fprintf(stderr, "lunask: out of memory (%zu bytes asked for)\n", n);
        abort();
    }
    return p;
}

void *mem_alloc(size_t n)
{
    return checked(calloc(1, n ? n : 1), n);
}

void *mem_realloc(void *p, size_t n)
{
    return checked(realloc(p, n ? n : 1), n);
}

char *mem_copy(struct bytes b)
{
    char *copy = checked(malloc(b.n + 1), b.n + 1);
    if (b.n) memcpy(copy, b.p, b.n);
    copy[b.n] = '\0';
    return copy;
}
