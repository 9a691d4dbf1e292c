/* The small blocks of a heap: runs of 16 KiB, each cut into blocks of one size class.
 *
 * Classes are 16 bytes apart up to 128, then 64: more would leave the pages of a small VM emptier.
 * What is known of a run stands in a table outside the runs. A free block holds the link to the
 * next one, xored with a cookie of the heap, so that a script that reaches freed memory can neither
 * read nor forge one. Only heap.c includes this. */
#ifndef LUNASK_BASE_HEAP_RUNS_H
#define LUNASK_BASE_HEAP_RUNS_H

#include "base/heap_area.h"

#include <stdint.h>

enum {
    HEAP_RUNS_SIZE = 16 * 1024, /* of a run */
    HEAP_RUNS_LARGEST = 256,    /* of a block; more would leave a fresh VM's pages emptier */
    HEAP_RUNS_CLASSES = 10,
};

struct heap_run {
    struct heap_run *next, *prev;
    uint16_t free;  /* the first free block's place, plus 1; 0 for none. Places count 16 bytes */
    uint16_t fresh; /* the place from which on nothing was ever given out */
    uint16_t live, most;   /* blocks */
    uint8_t class, places; /* places: of a block */
};

struct heap_runs {
    struct heap_area area;
    struct heap_room *room;
    uint64_t cookie;
    struct heap_run *table;        /* one entry a run of the area, zeroed to start with */
    size_t opened;                 /* runs that were ever in use */
    struct heap_run *idle, *clean; /* free runs: perhaps in memory; given back */
    struct heap_run *open[HEAP_RUNS_CLASSES]; /* runs with a free block */
};

/* Returns NULL when there is no room for another run. `n` is 1 to HEAP_RUNS_LARGEST. */
void *heap_runs_alloc(struct heap_runs *runs, size_t n);
void heap_runs_release(struct heap_runs *runs, void *p);

bool heap_runs_owns(const struct heap_runs *runs, const void *p);

/* Tells whether the block holds `n` bytes and would not be in a smaller class with them, and makes
 * it one of `n` bytes. With `anyhow`, only whether it holds them matters. */
bool heap_runs_resize(struct heap_runs *runs, void *p, size_t n, bool anyhow);

/* Gives back the free runs. */
void heap_runs_trim(struct heap_runs *runs);

#endif
