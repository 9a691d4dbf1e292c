/* A call that becomes a task in its middle: its handler has asked what it asks in the call itself,
 * and what the tool's `task` does then goes on without the client (SEP-2663 with SEP-2322).
 *
 *   handler … returns → host.become_task ─┬→ not due: `task` runs in the call
 *                                         └→ due: the row of a new task, with the call's journal,
 *     and the call's claim in the ledger are committed together; the reply tells of the task; the
 *     call ends, and the task runs the handler again, through the same answers, then `task`
 *
 * What the handler wrote is not committed with it: the task's run writes it again, and commits it
 * with its result. The same answers sent again are told of the same task. */
#ifndef LUNASK_CALL_ESCALATION_H
#define LUNASK_CALL_ESCALATION_H

#include "call/call.h"

/* Whether the call goes on as a task: its client knows them, its tool may be one, and it is none
 * yet. */
bool escalation_is_due(const struct call *c);

/* Begins it for a call that waits in become_task; or refuses the call, which is not finished then
 * and may come again: RPC_BUSY with too many tasks, RPC_INVALID_PARAMS with more to keep than a row
 * may hold. */
void escalation_begin(struct call *c);

/* The members of the CreateTaskResult; they live as long as the escalation. */
struct bytes escalation_fields(const struct escalation *e);

/* It is stored, and the client told if there is one: runs the task. Without a client to come again
 * for it, nobody will ever know of it: it is cancelled. */
void escalation_done(struct call *c);

/* Forgets what was begun, if anything was. */
void escalation_free(struct call *c);

#endif
