/* The clock of a worker's scripts: a timer of the thread's own CPU time whose signal looks, every
 * WATCHDOG_TICK_MS, at the VM that is running. While no script runs for that long it costs nothing;
 * a hook that is always there would double the time of tight Lua code.
 *
 * A watchdog belongs to the thread that made it, which frees it, too; a thread may have several.
 * The signal is SIGVTALRM. */
#ifndef LUNASK_SCRIPT_WATCHDOG_H
#define LUNASK_SCRIPT_WATCHDOG_H

#include "base/error.h"

enum {
    WATCHDOG_TICK_MS = 3,
    WATCHDOG_SLICE_MS = 1,
};

struct limits;
struct watchdog;

/* Returns owned, or NULL with `error` when the system has no timer left. */
struct watchdog *watchdog_new(struct error *error);
void watchdog_free(struct watchdog *w); /* NULL is fine */

/* Names the VM whose code is about to run on the C stack, NULL when it has returned. */
void watchdog_watch(struct watchdog *w, struct limits *l);

/* Lets one more signal come, after WATCHDOG_SLICE_MS by the clock on the wall: for a run that is
 * known to be long, while others may be waiting. */
void watchdog_look_soon(struct watchdog *w);

/* Lets the signal come again, after a jump out of its handler. */
void watchdog_unblock(void);

#endif
