/* The heap of one script VM: everything in it goes in one piece, at any moment.
 *
 * Lua names the old size of a block when it changes or frees it, so small blocks need no headers.
 * Up to HEAP_RUNS_LARGEST bytes they live in runs of one size class (heap_runs.h), larger ones in
 * an area that joins its free neighbours (heap_blocks.h). What the script asked for is limited to
 * the byte. What the heap takes from the system for it is limited too, to one and a half times
 * that: a script that leaves its pages full of holes runs out, not the machine. Pages that a spike
 * leaves free are given back once they outweigh twice what is in use.
 *
 * All state lies in one mapping and heap_free reads only what heap_new wrote, so a VM may be
 * abandoned in the middle of heap_realloc (siglongjmp): then heap_free alone is legal. A heap
 * belongs to one thread at a time. Damage to a heap's own words ends the process with one line. */
#ifndef LUNASK_BASE_HEAP_H
#define LUNASK_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct heap;

/* Bytes as asked for, without rounding; `pages` is what they may take in memory, with all that is
 * free but not given back. */
struct heap_counts {
    size_t used, peak;
    size_t pages;
    unsigned failed; /* refused since heap_reset_failed; Lua mostly asks twice before it gives up */
};

/* Returns a heap that gives up to `most` bytes, and `reserve` more while heap_use_reserve is on, or
 * NULL when the system has no address space left. It takes about three times as many addresses, but
 * memory only as pages are touched. */
struct heap *heap_new(size_t most, size_t reserve);

/* Gives all of it back to the system, whatever still lives in it. `h` may be NULL. */
void heap_free(struct heap *h);

/* Lua's allocator, with `h` for its data. Returns a block of `new_size` bytes, aligned for any
 * type, with the contents of `p`; NULL if `new_size` is 0, which frees `p`; or NULL with `p` as it
 * was when the limit is reached. `old_size` is exactly what was asked for `p`, and ignored if that
 * is NULL. Never refuses to shrink. */
void *heap_realloc(struct heap *h, void *p, size_t old_size, size_t new_size);

/* Lets the host's own work use the reserve: a script that filled its heap to the brim can still be
 * given a coroutine to report that in. What was allocated so stays when the reserve is closed. */
void heap_use_reserve(struct heap *h, bool on);

/* Gives free pages back now: for a heap that will be idle, as after the load of a script. */
void heap_trim(struct heap *h);

struct heap_counts heap_counts(const struct heap *h);
void heap_reset_failed(struct heap *h);

#endif
