/* The two clocks. */
#ifndef LUNASK_BASE_CLOCK_H
#define LUNASK_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that only moves forward: for deadlines within this process. */
int64_t clock_mono_ms(void);

/* Milliseconds since 1970-01-01 UTC: for what leaves the process or outlives it. */
int64_t clock_wall_ms(void);

/* Microseconds of CPU time used by the calling thread: for budgets. */
int64_t clock_cpu_us(void);

#endif
