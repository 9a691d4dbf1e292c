/* A region of memory freed in one go: an exchange has one, a compiled schema has one. */
#ifndef LUNASK_BASE_ARENA_H
#define LUNASK_BASE_ARENA_H

#include "base/bytes.h"

struct arena_block;

/* All zero is an empty arena. */
struct arena {
    struct arena_block *blocks;
    size_t left; /* free bytes at the end of the newest block */
};

/* Frees everything ever allocated from `a` and leaves it empty and usable. */
void arena_free(struct arena *a);

/* Returns `n` bytes, aligned for any type, not zeroed. */
void *arena_alloc(struct arena *a, size_t n);

/* Returns `n` zeroed bytes, aligned for any type. */
void *arena_zalloc(struct arena *a, size_t n);

/* Returns a NUL-terminated copy of `b`. */
struct bytes arena_copy(struct arena *a, struct bytes b);

#endif
