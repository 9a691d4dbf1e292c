/* What a run takes for the present: its call's start and its own random numbers, both from the
 * journal, so that a replay sees the same. Outside a run (while a script loads) they are real. */
#ifndef LUNASK_SCRIPT_RUN_TIME_H
#define LUNASK_SCRIPT_RUN_TIME_H

#include "script/vm.h"

/* Milliseconds since 1970 UTC. */
int64_t run_time_ms(const struct vm *vm);

/* The next 64 bits of the generator in force (xoshiro256**). */
uint64_t run_time_random(struct vm *vm);

/* Fills a generator's state from 16 bytes. */
void run_time_seed(uint64_t state[4], const unsigned char seed[16]);

#endif
