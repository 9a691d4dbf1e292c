#include "call/entropy.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

void entropy_take(struct entropy *e, void *out, size_t n)
{
    assert(n <= ENTROPY_BYTES);
    if (e->left < n) {
        randombytes_buf(e->bytes, sizeof e->bytes);
        e->left = sizeof e->bytes;
    }
    unsigned char *from = e->bytes + (ENTROPY_BYTES - e->left);
    memcpy(out, from, n);
    memset(from, 0, n);
    e->left -= n;
}
