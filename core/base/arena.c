#include "base/arena.h"

#include "base/mem.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Two heads take the other 32 bytes of a page: the block's own, and the one malloc puts before
 * it. */
enum { BLOCK_BYTES = 4096 - 32 };

struct arena_block {
    struct arena_block *older;
    size_t size;
    alignas(max_align_t) char data[];
};

void arena_free(struct arena *a)
{
    struct arena_block *block = a->blocks;
    while (block) {
        struct arena_block *older = block->older;
        free(block);
        block = older;
    }
    *a = (struct arena){0};
}

/* Makes a block with room for `n` bytes the newest. What was left of the one before it is lost: at
 * most a block's worth, and only where something large came. */
static void grow(struct arena *a, size_t n)
{
    size_t size = n > BLOCK_BYTES ? n : BLOCK_BYTES;
    struct arena_block *block = mem_realloc(NULL, sizeof *block + size);
    block->older = a->blocks;
    block->size = size;
    a->blocks = block;
    a->left = size;
}

void *arena_alloc(struct arena *a, size_t n)
{
    const size_t align = alignof(max_align_t);
    n = (n + align - 1) & ~(align - 1);
    if (a->left < n) grow(a, n);
    char *p = a->blocks->data + (a->blocks->size - a->left);
    a->left -= n;
    return p;
}

void *arena_zalloc(struct arena *a, size_t n)
{
    return memset(arena_alloc(a, n), 0, n);
}

struct bytes arena_copy(struct arena *a, struct bytes b)
{
    char *p = arena_alloc(a, b.n + 1);
    if (b.n) memcpy(p, b.p, b.n);
    p[b.n] = '\0';
    return (struct bytes){p, b.n};
}
