/* The large blocks of a heap: multiples of 64 bytes that join their free neighbours.
 *
 * Free blocks are listed by size, eight lists to each doubling, with a bit set for each list that
 * has one. What lies above the last block in use is no block: `top` marks where it begins. Only
 * heap.c includes this. */
#ifndef LUNASK_BASE_HEAP_BLOCKS_H
#define LUNASK_BASE_HEAP_BLOCKS_H

#include "base/heap_area.h"

#include <stdint.h>

enum { HEAP_BLOCKS_LISTS = 256 };

struct heap_block;

struct heap_blocks {
    struct heap_area area;
    struct heap_room *room;
    char *top;
    size_t last;     /* size of the block below `top`, which is in use; 0 when there is none */
    size_t top_idle; /* bytes above `top` that may be in memory */
    uint64_t listed[HEAP_BLOCKS_LISTS / 64];
    struct heap_block *lists[HEAP_BLOCKS_LISTS];
};

/* Returns NULL when there is no room. */
void *heap_blocks_alloc(struct heap_blocks *blocks, size_t n);
void heap_blocks_release(struct heap_blocks *blocks, void *p, size_t n);

/* Makes `p` a block of `n` bytes where it is. Returns false, and changes nothing, if what follows
 * is in use or there is no room; never when it shrinks. */
bool heap_blocks_resize(struct heap_blocks *blocks, void *p, size_t old_n, size_t n);

/* Gives back the whole pages of free blocks of some size. */
void heap_blocks_trim(struct heap_blocks *blocks);

#endif
