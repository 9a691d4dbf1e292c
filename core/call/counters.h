/* What a worker has done since it started, and how often each limit was hit: plain numbers, which
 * only grow. A worker's are in its service and belong to its loop's thread.
 *
 * To add one: a value here, its row in counters.c, and a `counters_add` where it happens. */
#ifndef LUNASK_CALL_COUNTERS_H
#define LUNASK_CALL_COUNTERS_H

#include <stdint.h>

enum counter {
    COUNTER_CALLS,
    COUNTER_CALLS_FAILED,
    COUNTER_CALLS_CANCELLED,
    COUNTER_QUESTIONS,
    COUNTER_STATES_REFUSED,
    COUNTER_RELOADS,
    COUNTER_RELOADS_FAILED,

    /* limits */
    COUNTER_BUSY,
    COUNTER_CPU,
    COUNTER_MEMORY,
    COUNTER_ALLOCATIONS,
    COUNTER_VMS_DROPPED,
    COUNTER_LOG_CUT,
    COUNTER_CALL_TIMEOUT,
    COUNTER_ANSWER_TIMEOUT,
    COUNTER_ROUNDS,
    COUNTER_PARKED_CALLS,
    COUNTER_STATE_TOO_LARGE,
    COUNTERS,
};

struct counters {
    uint64_t n[COUNTERS];
};

/* The name, in small letters and underscores, and a sentence that says what is counted: static. */
const char *counters_name(enum counter which);
const char *counters_help(enum counter which);

void counters_add(struct counters *c, enum counter which);

#endif
