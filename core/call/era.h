/* What differs between the protocol's eras, seen from a method and from a call.
 *
 * A call is a journal; the eras differ in where the journal waits. The order in which a call meets
 * these functions:
 *
 *   open_journal → started ─┬→ result → ended
 *                           ├→ can_ask → ask ─┬→ (legacy) answered, expired or gone: goes on
 *                           │                 └→ (modern) ended; the retry opens the journal again
 *                           └→ unsupported → ended
 * To add an era: a file in eras/
 * that fills in a struct era, and its place in the dispatch of host/worker.c. */
#ifndef LUNASK_CALL_ERA_H
#define LUNASK_CALL_ERA_H

#include "call/exchange.h"
#include "call/journal.h"
#include "script/run.h"

struct elicitation;

enum era_name { ERA_LEGACY, ERA_MODERN };

/* The result of a request. Views are borrowed for the call. */
struct result {
    struct bytes
        fields;        /* members of the result object as JSON text, without braces; may be empty */
    struct bytes meta; /* its _meta object as JSON text; may be empty */
    const char *type;  /* resultType, modern; NULL: "complete" */
    bool cacheable;    /* one that clients may keep (2026-07-28 server/utilities/caching) … */
    int64_t ttl_ms;    /* … for so long … */
    bool is_private;   /* … and not for others */
};

struct era {
    enum era_name name;
    const char *text; /* ctx.era: "legacy", "modern" */
    /* A client cancels its call by leaving (`gone`). */
    bool leaving_cancels;

    /* Sends the result of x's request. */
    void (*result)(struct exchange *x, const struct result *result);

    /* Begins the journal of a call for x's request: a fresh one, or the one that came back with it.
     * Returns -1 if the request was refused, and answered. */
    int (*open_journal)(struct exchange *x, struct journal *j_r);

    /* The call is about to run. */
    void (*started)(struct call *c);

    /* Returns 0 if the questions of c->round can reach this client, else -1 with what is in the
     * way. */
    int (*can_ask)(const struct call *c, struct error *error);

    /* Sends the open questions of c->round and lets the call wait, or ends it. */
    void (*ask)(struct call *c);

    /* Answers that the client lacks capabilities, separated by spaces, that the script needed and
     * did not do without. */
    void (*unsupported)(struct call *c, struct bytes capabilities);

    /* Lets go of the connection of a call that goes on, if its client will come back for what is
     * still to come. Returns whether it did. */
    bool (*close_stream)(const struct call *c);

    /* Tells the client that what a URL elicitation was for is done, if its version has that. */
    void (*complete)(struct call *c, const struct elicitation *e);

    /* How long a call waits on the spot for a browser to come back, in ms (0: as for an answer),
     * and what then ends it, so that its client comes again and it waits on; NULL: it is refused.
     */
    int64_t wait_ms;
    void (*come_again)(struct call *c);

    /* Nobody answered a parked call in time; it is told right after. */
    void (*expired)(struct call *c);

    /* The handler has returned a result: the last chance to add to what is committed with it
     * (c->own). An era that has this sees to it by that that a call finishes once, and is not in
     * the ledger. NULL: nothing is added. */
    void (*finishing)(struct call *c);

    /* The client of x is gone. */
    void (*gone)(struct exchange *x);

    /* The call, parked or not, is about to be freed. */
    void (*ended)(struct call *c);
};

#endif
