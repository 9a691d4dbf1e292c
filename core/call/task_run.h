/* A task while its handler runs.
 *
 * Its call is one as any other; only that what it replies to is no client but the task's row, by a
 * channel of its own (the **face**). Where a modern call would go to its client to ask, the row
 * keeps journal and questions, and nothing of the call stays in memory. When the handler returns,
 * the row gets its result in the transaction that commits what the handler wrote: so a task that
 * was running when the host stopped is run again from its journal, and still has happened once.
 *
 *   start → call … asks   → row: input_required, journal → gone from here
 *                … returns → writes + row: completed, in one commit
 *                … fails   → row: completed with isError, or failed
 *
 * Each change of a row expects the text that it was read as. If another host, or tasks/cancel, was
 * first, nothing of the call is written. */
#ifndef LUNASK_CALL_TASK_RUN_H
#define LUNASK_CALL_TASK_RUN_H

#include "call/service.h"

/* Where the rows are: no script has this name, as host.lua is none. */
#define TASK_RUN_OWNER      "host"
#define TASK_RUN_COLLECTION "tasks"

/* Runs the task whose row has this text. Nothing happens if it runs already, or the host stops: it
 * is run at the next start. */
void task_run_start(struct service *s, struct bytes id, struct bytes row);

bool task_run_is_on(const struct service *s, struct bytes id);

/* Stops it, if it runs here; its row is the caller's business. */
void task_run_cancel(struct service *s, struct bytes id);

/* Fills in the two writes that turn the row `from` (empty: none yet) into `to`. Views are kept. */
void task_run_change(struct store_write writes[2], struct bytes id, struct bytes from,
                     struct bytes to);

#endif
