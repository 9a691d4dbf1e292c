/* What the two halves of a heap share: stretches of addresses, and the room for pages in memory.
 * Only heap*.c include this. */
#ifndef LUNASK_BASE_HEAP_AREA_H
#define LUNASK_BASE_HEAP_AREA_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEAP_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HEAP_ASAN 1
#endif

/* Reserved addresses; those from `start` up to `open` are memory. */
struct heap_area {
    char *start, *open, *end;
};

/* Counted in bytes of runs and blocks, so with all rounding. */
struct heap_room {
    size_t held; /* in use */
    size_t idle; /* free but perhaps in memory */
    size_t most; /* of both together */
};

/* Returns the smallest multiple of `step`, a power of two, that is not below `n`. */
size_t heap_area_round(size_t n, size_t step);

/* Makes `a` usable below `upto`. Returns false if it ends before, or the system refuses. */
bool heap_area_open(struct heap_area *a, const char *upto);

/* Gives back the whole pages in there, which read as zero from then on. Returns their bytes. */
size_t heap_area_give_back(char *from, char *to);

/* Moves `n` bytes into use, of which `idle` were counted as such. Returns false, and changes
 * nothing, if there is no room for the others. */
bool heap_area_hold(struct heap_room *room, size_t n, size_t idle);

/* Tells AddressSanitizer, where there is one, that only the first `n` of `whole` bytes are to be
 * touched. Free memory is hidden so, and a use after free inside a VM is reported. */
#ifdef HEAP_ASAN
void heap_area_show(void *p, size_t n, size_t whole);
#else
static inline void heap_area_show(void *p, size_t n, size_t whole)
{
    (void)p;
    (void)n;
    (void)whole;
}
#endif

/* Ends the process: the words that hold a heap together were overwritten. */
_Noreturn void heap_area_damaged(void);

#endif
