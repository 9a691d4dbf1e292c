/* The store "memory:": rows that live as long as the host. For trying things out and for specs. */
#ifndef LUNASK_STORE_MEMORY_H
#define LUNASK_STORE_MEMORY_H

#include "store/store.h"

/* Returns owned. Does not block: finding, putting and deleting a row take constant time on average,
 * counting always, and a list starts at its row without looking at those before it. */
struct store *store_memory_open(void);

#endif
