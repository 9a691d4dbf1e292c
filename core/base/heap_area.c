#include "base/heap_area.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef HEAP_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* Small enough that no huge page makes a small heap large. */
enum { OPEN_STEP = 256 * 1024 };

size_t heap_area_round(size_t n, size_t step)
{
    return (n + step - 1) & ~(step - 1);
}

bool heap_area_open(struct heap_area *a, const char *upto)
{
    if (upto <= a->open) return true;
    if (upto > a->end) return false;
    size_t more = heap_area_round((size_t)(upto - a->open), OPEN_STEP);
    if (more > (size_t)(a->end - a->open)) more = (size_t)(a->end - a->open);
    if (mprotect(a->open, more, PROT_READ | PROT_WRITE) != 0) return false;
    a->open += more;
    return true;
}

size_t heap_area_give_back(char *from, char *to)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *first = from + (heap_area_round((uintptr_t)from, page) - (uintptr_t)from);
    char *end = to - (uintptr_t)to % page;
    if (first >= end || madvise(first, (size_t)(end - first), MADV_DONTNEED) != 0) return 0;
    return (size_t)(end - first);
}

bool heap_area_hold(struct heap_room *room, size_t n, size_t idle)
{
    size_t fresh = n - idle;
    if (fresh > 0 && room->held + room->idle + fresh > room->most) return false;
    room->held += n;
    room->idle -= idle;
    return true;
}

#ifdef HEAP_ASAN
void heap_area_show(void *p, size_t n, size_t whole)
{
    __asan_poison_memory_region(p, whole);
    __asan_unpoison_memory_region(p, n);
}
#endif

_Noreturn void heap_area_damaged(void)
{
    fputs("lunask: the heap of a script is damaged; please report this\n", stderr);
    abort();
}
