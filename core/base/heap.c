#include "base/heap.h"

#include "base/heap_blocks.h"
#include "base/heap_runs.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

struct heap {
    size_t mapped;
    size_t used, peak, limit;
    size_t most, reserve;
    struct heap_room room;
    unsigned failed;
    size_t spare; /* idle bytes that are not worth giving back */
    size_t kept;  /* idle bytes that the last trim could not give back */
    size_t pages; /* held and idle bytes after the last trim */
    size_t asked; /* bytes asked for since */
    struct heap_runs runs;
    struct heap_blocks blocks;
};

enum {
    SPARE_LEAST = 256 * 1024,
    TRIM_EVERY = 8,             /* bytes asked for, to each taken again after a trim */
    ROUNDING_ROOM = 512 * 1024, /* a run of every class, and the pages of a small heap */
    LARGEST_BITS = 36,          /* the lists of blocks are made for that */
};

/* What may be in memory for `n` bytes asked for. */
static size_t room_for(size_t n)
{
    return heap_area_round(n + n / 2 + ROUNDING_ROOM, HEAP_RUNS_SIZE);
}

static void set_limit(struct heap *h, bool reserve)
{
    h->limit = h->most + (reserve ? h->reserve : 0);
    h->room.most = room_for(h->most) + (reserve ? room_for(h->reserve) : 0);
}

/* The head, then both areas, each behind a page that nothing may touch. */
struct heap *heap_new(size_t most, size_t reserve)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (most >> LARGEST_BITS || reserve >> LARGEST_BITS) return NULL;
    size_t area = heap_area_round(room_for(most) + room_for(reserve), page);
    size_t table = area / HEAP_RUNS_SIZE * sizeof(struct heap_run);
    size_t head = heap_area_round(sizeof(struct heap) + table, page);
    size_t mapped = head + 2 * (page + area);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *start = mmap(NULL, mapped, PROT_NONE, flags, -1, 0);
    if (start == MAP_FAILED) return NULL;
    struct heap *h = (struct heap *)(void *)start;
    char *runs = start + head + page;
    char *blocks = runs + area + page;
    if (mprotect(start, head, PROT_READ | PROT_WRITE) != 0 ||
        getrandom(&h->runs.cookie, sizeof h->runs.cookie, 0) != sizeof h->runs.cookie) {
        munmap(start, mapped);
        return NULL;
    }
    h->mapped = mapped;
    h->most = most;
    h->reserve = reserve;
    h->spare = SPARE_LEAST;
    set_limit(h, false);
    h->runs.room = h->blocks.room = &h->room;
    h->runs.table = (struct heap_run *)(void *)(h + 1);
    h->runs.area = (struct heap_area){runs, runs, runs + area};
    h->blocks.area = (struct heap_area){blocks, blocks, blocks + area};
    h->blocks.top = blocks;
    return h;
}

/* The sanitizer's notes on these addresses outlive the mapping. */
static void show_all(const struct heap_area *a)
{
    heap_area_show(a->start, (size_t)(a->open - a->start), 0);
}

void heap_free(struct heap *h)
{
    if (!h) return;
    show_all(&h->runs.area);
    show_all(&h->blocks.area);
    munmap(h, h->mapped);
}

void heap_use_reserve(struct heap *h, bool on)
{
    set_limit(h, on);
}

static void trim(struct heap *h)
{
    heap_runs_trim(&h->runs);
    heap_blocks_trim(&h->blocks);
    h->kept = h->room.idle;
    h->pages = h->room.held + h->room.idle;
    h->asked = 0;
}

void heap_trim(struct heap *h)
{
    h->spare = SPARE_LEAST;
    trim(h);
}

/* A script whose garbage comes and goes in megabytes would pay for their pages again and again, so
 * the spare grows until it no longer does. */
static void trim_if_worth_it(struct heap *h)
{
    size_t idle = h->room.idle;
    if (idle <= h->kept + h->spare || idle <= 2 * h->room.held) return;
    if (h->asked / TRIM_EVERY < h->room.held + idle - h->pages) h->spare *= 2;
    trim(h);
}

struct heap_counts heap_counts(const struct heap *h)
{
    return (struct heap_counts){h->used, h->peak, h->room.held + h->room.idle, h->failed};
}

void heap_reset_failed(struct heap *h)
{
    h->failed = 0;
}

static void *refuse(struct heap *h)
{
    h->failed++;
    return NULL;
}

static void *take_once(struct heap *h, size_t n)
{
    return n <= HEAP_RUNS_LARGEST ? heap_runs_alloc(&h->runs, n) : heap_blocks_alloc(&h->blocks, n);
}

/* Pages that one half keeps free may be what the other one lacks. */
static void *take(struct heap *h, size_t n)
{
    void *p = take_once(h, n);
    if (p || h->room.idle == h->kept) return p;
    trim(h);
    return take_once(h, n);
}

static void drop(struct heap *h, void *p, size_t n)
{
    if (heap_runs_owns(&h->runs, p))
        heap_runs_release(&h->runs, p);
    else
        heap_blocks_release(&h->blocks, p, n);
    trim_if_worth_it(h);
}

/* Returns NULL, and leaves `p` as it was, when there is no room. */
static void *resize(struct heap *h, void *p, size_t old_n, size_t n)
{
    bool small = heap_runs_owns(&h->runs, p);
    if (small ? heap_runs_resize(&h->runs, p, n, false)
              : n > HEAP_RUNS_LARGEST && heap_blocks_resize(&h->blocks, p, old_n, n))
        return p;
    void *moved = take(h, n);
    if (moved) {
        memcpy(moved, p, old_n < n ? old_n : n);
        drop(h, p, old_n);
        return moved;
    }
    /* A block too large for its new size is better than a failure that Lua does not expect. */
    if (n <= old_n && (small ? heap_runs_resize(&h->runs, p, n, true)
                             : heap_blocks_resize(&h->blocks, p, old_n, n)))
        return p;
    return NULL;
}

void *heap_realloc(struct heap *h, void *p, size_t old_size, size_t new_size)
{
    size_t had = p ? old_size : 0;
    if (new_size == 0) {
        if (p) drop(h, p, had);
        h->used -= had;
        return NULL;
    }
    if (new_size > had && (h->used > h->limit || new_size - had > h->limit - h->used))
        return refuse(h);
    void *grown = p ? resize(h, p, had, new_size) : take(h, new_size);
    if (!grown) return refuse(h);
    h->used += new_size - had;
    h->asked += new_size;
    if (h->used > h->peak) h->peak = h->used;
    return grown;
}
