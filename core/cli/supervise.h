/* The safety net under a host: a process that does nothing but hold the listening socket and start
 * another worker when one dies.
 *
 * Words. **supervisor**: the process that was started. **worker**: its only child, which does all
 * the work. A worker **serves** from supervise_ready on.
 *
 * A worker that crashes takes with it what it held: its connections, sessions and parked calls.
 * Connections made from then on wait in the socket's backlog, so that nobody is refused; sealed
 * calls and what was stored are not touched.
 *
 *   the worker ends                                    the supervisor
 *   before any worker has served                       ends with the same code: it is the start
 *                                                      that failed, and the worker said why
 *   with code 0, or after SIGTERM or SIGINT            ends with the same code
 *   by a signal, or with another code                  starts the next one: see supervise_pause_ms
 *
 * A code is an exit code as a shell has it: 128 and the signal's number if there was one. */
#ifndef LUNASK_CLI_SUPERVISE_H
#define LUNASK_CLI_SUPERVISE_H

#include "base/log.h"

#include <stdbool.h>

enum { SUPERVISE_GOOD_MS = 30 * 1000 }; /* of life, after which a crash counts as the first again */

struct supervise_role {
    bool worker;
    int ready; /* in a worker: for supervise_ready */
    int code;  /* in the supervisor: what to end with */
};

/* Forks, and returns as fork does: at once in each worker, and in the supervisor when all is over,
 * with no worker left. To be called before there are threads. `socket` is the worker's in a worker,
 * and closed in the supervisor, as soon as it is told to end: who comes then is refused.
 *
 * The supervisor passes SIGTERM, SIGINT and SIGHUP on to its worker; a second SIGTERM or SIGINT
 * kills it. A worker never outlives its supervisor. */
struct supervise_role supervise_run(struct log *log, int socket);

/* Says that this worker serves. Until then SIGTERM, SIGINT and SIGHUP are kept back from it; their
 * handlers must be in place now. Terminals and service managers signal all processes at once, so
 * each may come twice for one: the supervisor alone counts them. */
void supervise_ready(int ready);

/* Keeps these signals back again: to be called before the handlers go, as one may still come. Both
 * hold for the calling thread and those it makes while they are kept back. */
void supervise_closing(void);

/* Returns how long to wait before the next worker is started, after `crashes` (1 and more) in a
 * row: the first time not at all, and never longer than a few seconds. */
int supervise_pause_ms(int crashes);

#endif
