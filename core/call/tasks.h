/* Calls that go on without their client: the extension io.modelcontextprotocol/tasks (SEP-2663).
 *
 *   tools/call   → the row is stored → resultType "task", and the handler runs (task_run.h)
 *   tasks/get    → the row, as MCP's DetailedTask
 *   tasks/update → answers into the row; after the last one the handler runs again
 *   tasks/cancel → the row says cancelled, the handler is stopped
 *
 * All that is known of a task is its row: it outlives the host, and another one with the same store
 * can go on with it. A task is its principal's; to anybody else it does not exist. Every function
 * replies to `x`, most of them later. */
#ifndef LUNASK_CALL_TASKS_H
#define LUNASK_CALL_TASKS_H

#include "call/client.h"
#include "call/exchange.h"
#include "call/service.h"
#include "call/task.h"
#include "script/offer.h"

enum { TASKS_MOST = 1000 }; /* kept at a time, finished ones included: one list of the store */

#define TASKS_EXTENSION "io.modelcontextprotocol/tasks"

/* Returns 0 if x's client declared the extension, else -1 with -32021 sent. */
int tasks_check_client(struct exchange *x);

/* Makes a task of the call of `tool`, whose schema `arguments` (JSON text) fit. RPC_BUSY when there
 * are too many. If the client is gone before it knows of the task, the task is cancelled. */
void tasks_create(struct exchange *x, const struct offer *tool, struct bytes arguments);

/* What a new task begins as, its journal apart; `client` made it. Views are kept. */
struct task tasks_begin(const struct service *s, struct bytes principal, struct bytes tool,
                        struct bytes arguments, const struct client *client);
void tasks_new_id(struct service *s, char id[TASK_ID_CHARS + 1]);

/* Cancels a task whose client left before it heard of it. Nobody is told. */
void tasks_forget(struct service *s, struct bytes principal, const char id[TASK_ID_CHARS + 1]);

/* The requests of those names, of any client. */
void tasks_get(struct exchange *x);
void tasks_update(struct exchange *x);
void tasks_cancel(struct exchange *x);

/* Now and then looks through all tasks: those that were running when a host stopped are run, those
 * whose ttlMs is over are deleted. `now_ms` is clock_mono_ms(). */
void tasks_tick(struct service *s, int64_t now_ms);

#endif
