/* A region of memory freed in one go: an exchange has one, a compiled schema has one.
 *
 *   blocks → [newest | used … left] → [older, full] → … → NULL
 *
 * Nothing is given back singly, so what grows is gathered elsewhere and copied in once its size is
 * known (json.c does so with its cells). Running out of memory ends the process, as in mem.h. An
 * arena is used by one thread at a time. */
#ifndef LUNASK_BASE_ARENA_H
#define LUNASK_BASE_ARENA_H

#include "base/bytes.h"

struct arena_block;

/* All zero is an empty arena. */
struct arena {
    struct arena_block *blocks;
    size_t left; /* free bytes at the end of the newest block */
};

/* Frees everything ever allocated from `a` and leaves it empty and usable: legal on one that is all
 * zero, and twice. */
void arena_free(struct arena *a);

/* Returns `n` bytes, aligned for any type, not zeroed. `n` must not be 0 while the arena is
 * empty. */
void *arena_alloc(struct arena *a, size_t n);

/* Returns `n` zeroed bytes, aligned for any type. */
void *arena_zalloc(struct arena *a, size_t n);

/* Returns a NUL-terminated copy of `b`. */
struct bytes arena_copy(struct arena *a, struct bytes b);

#endif
