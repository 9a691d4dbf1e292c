/* What ctx:sleep runs on: a timer of the worker's loop for each call that sleeps. */
#ifndef LUNASK_HOST_PAUSE_H
#define LUNASK_HOST_PAUSE_H

#include <stdint.h>

/* Calls `done(arg)` from the loop after `ms`, never from here, unless pause_cancel comes first.
 * Returns the pause. `loop` is a uv_loop_t. */
void *pause_start(void *loop, int64_t ms, void (*done)(void *arg), void *arg);

/* Ends a pause; `done` is not called. */
void pause_cancel(void *pause);

#endif
