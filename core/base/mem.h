/* malloc and friends that never return NULL: out of memory ends the process with one line on
 * standard error (a supervisor restarts it; nothing that waits in a modern call is lost). What a
 * client can make us hold is bounded by limits, so this is a machine that is too small, not an
 * attack.
 *
 * Release with free(). Script VMs do not allocate here; they have heaps of their own, and running
 * out of one is an error of the script. */
#ifndef LUNASK_BASE_MEM_H
#define LUNASK_BASE_MEM_H

#include "base/bytes.h"

void *mem_alloc(size_t n); /* zeroed; of 0 bytes it still is a pointer to free */

/* Takes `p`, which may be NULL. New bytes are not zeroed. */
void *mem_realloc(void *p, size_t n);

/* Returns an owned, NUL-terminated copy. */
char *mem_copy(struct bytes b);

#endif
