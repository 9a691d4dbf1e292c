/* How a call comes to its end: at most once, and with all it wrote or nothing.
 *
 *   completion_begin ─┬→ (first run) call_run
 *                     └→ (retry) a run of the same call is under way: wait for its end, then …
 *                                … look into the ledger: sent from there, refused, or call_run
 *   completion_commit → commit ─┬→ the result is sent
 *                               ├→ what it read has changed: from completion_begin again
 *                               └→ the store failed: the client is told, nothing is stored */
#ifndef LUNASK_CALL_COMPLETION_H
#define LUNASK_CALL_COMPLETION_H

#include "call/call.h"

enum { COMPLETION_RUNS = 100 }; /* of one call, when others keep changing what it read */

/* Lets the call run, or ends it with the result it has finished with before. */
void completion_begin(struct call *c);

/* The run has ended by itself, `failed` if by an error: commits what it wrote, unless its result is
 * an error, and sends the result. */
void completion_commit(struct call *c, bool failed);

/* The run goes on as a task (c->escalation): commits that instead of what it wrote, which the
 * task's run writes again, and replies with the task. */
void completion_escalate(struct call *c);

/* The call is about to be freed: a retry that waited for it goes on. */
void completion_ended(struct call *c);

#endif
