/* The record of one task of the extension io.modelcontextprotocol/tasks (SEP-2663), as a row of the
 * store has it: what was asked for, how far it is, what came of it.
 *
 *   working ⇄ input_required        the questions wait in the row, and the journal with them
 *      └→ completed, failed, cancelled
 *
 * Plain data; tasks.h says what becomes of it. The row is a JSON object of the host's own. */
#ifndef LUNASK_CALL_TASK_H
#define LUNASK_CALL_TASK_H

#include "call/journal.h"
#include "call/round.h"

enum { TASK_ID_CHARS = 32 }; /* 128 random bits in hex: nobody guesses one */

enum task_status {
    TASK_WORKING,
    TASK_INPUT_REQUIRED,
    TASK_COMPLETED, /* also with a result that is an error */
    TASK_FAILED,    /* by an error of the protocol */
    TASK_CANCELLED,
};

/* Views point into the row or whatever else was put in. */
struct task {
    enum task_status status;
    struct bytes principal;               /* whose it is */
    struct bytes tool;                    /* its name */
    struct bytes arguments, capabilities; /* JSON text; the latter of the client that made it */
    int64_t created_ms, updated_ms;       /* wall clock */
    int64_t ttl_ms;                       /* from created_ms on */
    int64_t round;                        /* rounds of questions so far */
    struct bytes requests; /* of INPUT_REQUIRED: the open ones, JSON text {key: request, …} */
    struct bytes journal;  /* base64url; empty when the task is over */
    struct bytes outcome;  /* JSON text: the result of COMPLETED, the error of FAILED */
};

/* Reads a row, whose tape goes into `arena`. Returns 0, or -1 if it is none of ours. */
int task_read(struct bytes row, struct arena *arena, struct task *t_r);
void task_write(const struct task *t, struct buf *row);

bool task_is_over(const struct task *t);
bool task_is_expired(const struct task *t, int64_t now_ms);

/* Adds the members of MCP's Task object; with `detailed` also those of a DetailedTask. */
void task_describe(const struct task *t, struct bytes id, bool detailed, struct buf *out);

/* Puts the open questions of `r`, with the journal, in: the task waits for their answers. A key
 * that MCP wants "unique over the lifetime of a single task" is one of a script's followed by the
 * number of the round. What is written goes to `arena`. */
void task_ask(struct task *t, const struct round *r, const struct journal *j, struct arena *arena);

/* Puts in the answers to questions that are open (`responses`: inputResponses, maybe NULL) and
 * leaves out the rest; after the last one the task goes on working. Returns whether anything has
 * changed. */
bool task_answer(struct task *t, const struct json *responses, struct arena *arena);

/* Puts a journal in, as text in `arena`, and reads it. Returns -1 if it can't be read. */
void task_keep_journal(struct task *t, const struct journal *j, struct arena *arena);
int task_journal(const struct task *t, struct journal *j_r);

#endif
