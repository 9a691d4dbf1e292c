/* The clocks: one for each question that is asked of time. None of them can fail on Linux, so none
 * returns an error. */
#ifndef LUNASK_BASE_CLOCK_H
#define LUNASK_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that only moves forward, from an arbitrary start and not while the
 * machine sleeps: for deadlines within this process. A deadline kept in wall time would move when
 * an operator sets the clock. */
int64_t clock_mono_ms(void);

/* The same clock in microseconds: for how long something took. */
int64_t clock_mono_us(void);

/* Milliseconds since 1970-01-01 UTC: for what leaves the process or outlives it, such as the times
 * in a requestState. It may jump, either way. */
int64_t clock_wall_ms(void);

/* Microseconds of CPU time used by the calling thread: for budgets, which a busy machine must not
 * make shorter. Two readings are compared on one thread only. */
int64_t clock_cpu_us(void);

#endif
