/* One handler run with all it holds: journal, staged writes, the questions that are open.
 *
 * The life of a call: call_start runs the handler until it is done or waits. It waits for the store
 * (the queue's reap makes it ready again), or for a person: then the era parks it (legacy:
 * call_answer makes it ready again) or seals its journal into the reply and ends it (modern).
 * What has become ready goes on from call_run_ready, never from inside another callback. A result
 * that is not an error commits the staged writes in one transaction before it is sent. */
#ifndef LUNASK_CALL_CALL_H
#define LUNASK_CALL_CALL_H

#include "call/client.h"
#include "call/elicitations.h"
#include "call/era.h"
#include "call/ledger.h"
#include "call/notices.h"
#include "call/round.h"
#include "call/service.h"
#include "call/staging.h"
#include "call/uris.h"
#include "wire/trace.h"

#include <stdatomic.h>

struct escalation;
struct generation;
struct offer;

enum call_state {
    CALL_RUNNING,    /* its Lua code is on the stack, or it waits for its turn */
    CALL_READING,    /* a job of the store, or one that reads a file, has it; or it fetches */
    CALL_ASKING,     /* parked until call_answer */
    CALL_COMMITTING, /* a job of the store has it */
};

struct call {
    struct service *service;
    const struct era *era;
    struct exchange *x; /* where the reply goes; NULL once the client is gone */
    const struct client *client;
    void *owner;          /* legacy: the session */
    struct call *sibling; /* legacy: next in the session */
    char *principal;      /* of the client that made it, whoever has left; empty for nobody */
    char *request_id;     /* legacy: JSON text of the request's id, for notifications/cancelled */
    struct generation *generation;
    const struct offer *offer;
    enum run_entry entry;
    const struct json *arguments; /* on the exchange's tape, or in `kept` */
    struct arena kept;

    struct ledger_claim claim; /* what follows is completion.c's own */
    bool leads;                /* of all retries of the same call this one has the ledger */
    bool admitted;             /* it may run */
    bool run_failed;           /* by an error of its own */
    unsigned runs;             /* that were in vain */
    int outcome;               /* of the job */
    enum ledger_verdict verdict;
    struct ledger_result finished; /* in `held` */

    char trace[TRACE_TEXT_BYTES]; /* of the request, for lines of the log */
    struct journal journal;
    struct staging staging;
    const struct store_write *own; /* of the era, to be committed with those of the call; or NULL */
    size_t own_n;
    bool becomes_task;             /* it has come to where it goes on as one (escalation.h) … */
    struct escalation *escalation; /* … which is being stored; NULL: it is not */
    struct notices notices;
    struct uris updated; /* resources it has changed, if it ends well */
    struct run *run;
    struct round round; /* what it asked last, or waits with */
    struct elicitations elicitations;
    unsigned asked; /* questions this run has come to: names those without a key */
    unsigned keys;  /* store:append so far: part of the keys made */
    enum call_state state;
    atomic_bool cancelled; /* it may still be on the C stack, or a job has it: free it then; reply
                              nothing. Set on the loop's thread, read by jobs too */
    int64_t host_left_ms;  /* of call_timeout */
    int64_t deadline_ms;   /* monotonic, of the state it is in */
    int64_t since_ms;      /* when the host's time began to count; 0 while a person thinks */

    struct store_job job; /* one at a time */
    struct run_read read; /* of CALL_READING; its views point into `held` */
    struct arena held;
    void *fetch, *pause;    /* under way in CALL_READING, or NULL */
    struct buf answer;      /* what a job or a person brought; given to the run */
    bool failed;            /* raise `error` instead */
    bool awaiting;          /* in CALL_ASKING: it waits for a browser, not for an answer */
    struct buf called_back; /* what a browser brought (callbacks.h), when it came meanwhile */
    struct error error;
    struct call *next, **link; /* of service->calls */
    struct call *next_ready;   /* turns.h */
    bool is_ready;             /* waits for its turn: begins then, if it has no run yet */
    bool slow;                 /* has used up a slice */
};

/* Runs `offer` for x's request, taking `journal`. `arguments` fit the offer's schema and are
 * borrowed for the call. It begins at once, or in another turn if this one has no time left.
 * Replies RPC_BUSY when too many calls are open. */
void call_start(struct exchange *x, const struct offer *offer, enum run_entry entry,
                const struct json *arguments, struct journal *journal);

/* Runs the handler from the top. */
void call_run(struct call *c);

/* Forgets a run and what it wrote and read; the journal stays, so that another run comes as far
 * without asking anybody. */
void call_reset(struct call *c);

/* The exchange is about to be freed, and the call goes on without it. */
void call_detach(struct call *c);

/* Gives a parked call the client's result for one of the questions of its round, `key`; it goes on
 * when it has one for each. The first result of a question counts. `json` is copied. */
void call_answer(struct call *c, struct bytes key, struct bytes json);

/* Raises `reason` in a parked call where it asks, whatever of its round was answered; what it makes
 * of it is its result. */
void call_refuse(struct call *c, const char *reason);

/* Gives what a browser brought (JSON text, borrowed) to the call of that id, if it is here. */
void call_called_back(struct service *s, const unsigned char call_id[SEAL_CALL_ID_BYTES],
                      struct bytes json);

/* Stops a call: nothing of it is committed unless the commit is under way already, nothing more is
 * sent. */
void call_cancel(struct call *c);

/* Parks a call whose question was sent, until call_answer or settings.answer_timeout; or one that
 * awaits a browser, until call_called_back. */
void call_park(struct call *c);

/* Ends a call with an error, as its kind has it (refusal.h), or without any (its reply was sent by
 * the era). */
void call_fail(struct call *c, struct bytes text);
void call_end(struct call *c);

/* Goes on with those that are ready, as far as this turn of the loop has time for them (turns.h);
 * the rest has the loop woken again. */
void call_run_ready(struct service *s);

/* Looks at deadlines; `now_ms` is clock_mono_ms(). */
void call_tick(struct service *s, int64_t now_ms);

/* Moves what went wrong with the store, which may name files, to the log, and leaves in `error`
 * what a client may read. */
void call_hide_store_error(const struct call *c, struct error *error);

/* Lets the call go on when it is its turn, from call_run_ready; until then its time stands still.
 */
void call_make_ready(struct call *c);

#endif
