/* Random bytes for the ids and seeds of calls, fetched from the system for many calls at once: a
 * system call for each would be a fortieth of what a small call costs. */
#ifndef LUNASK_CALL_ENTROPY_H
#define LUNASK_CALL_ENTROPY_H

#include <stddef.h>

enum { ENTROPY_BYTES = 1024 };

/* All zero is a legal start. Not to be copied, nor used on both sides of a fork: bytes would be
 * given out twice. */
struct entropy {
    unsigned char bytes[ENTROPY_BYTES]; /* those given out are wiped */
    size_t left;                        /* at the end of `bytes` */
};

/* Fills `out` with `n` bytes fit for keys, ENTROPY_BYTES at most. */
void entropy_take(struct entropy *e, void *out, size_t n);

#endif
