/* What every call and every era of one worker shares. Plain data, set up by host/worker, and used
 * on its loop's thread alone; there are no globals beside it. */
#ifndef LUNASK_CALL_SERVICE_H
#define LUNASK_CALL_SERVICE_H

#include "base/log.h"
#include "call/counters.h"
#include "call/entropy.h"
#include "call/seal.h"
#include "call/settings.h"
#include "call/turns.h"
#include "store/queue.h"

struct call;
struct generation;
struct grants;
struct legacy;
struct subscription;
struct task_run;

/* A request over HTTP for a script. Views are borrowed for the call that begins it. */
struct service_fetch {
    struct bytes script; /* whose grants count */
    const struct grants *grants;
    struct bytes method, url;
    struct bytes headers; /* JSON text: an object of strings */
    struct bytes body;    /* {NULL, 0}: none */
    int64_t timeout_ms;
    /* Called once, from the loop: with the answer of a RUN_FETCH (borrowed), or with `problem`. */
    void (*done)(void *arg, struct bytes answer, const char *problem);
    void *arg;
};

struct service {
    const struct settings *settings;
    struct log *log;
    struct generation *generation; /* what new calls run in; held */
    /* Why the newest scripts are not what runs ("scripts/x.lua:12: …"), or NULL; owned. */
    char *load_error;
    char *load_source, *load_caret; /* its line of source, and what points into it; NULL: none */
    int64_t load_failed_ms;         /* wall clock */
    int64_t started_ms, loaded_ms;  /* wall clock; of the generation */
    int64_t generation_number;      /* 1: what the host began with */
    struct store_queue *store;
    struct legacy *legacy;      /* sessions (eras/legacy.h) */
    struct task_run *task_runs; /* tasks whose handler runs here (call/task_run.h) */
    int64_t task_count;         /* tasks in the store, about */
    int64_t tasks_look_ms;      /* monotonic, when to look through them */
    bool tasks_looking;
    struct subscription *subscriptions; /* open streams (eras/subscriptions.h) */
    int64_t subscription_count;

    struct call *calls;      /* all that are not freed yet */
    int64_t call_count;      /* of them */
    int64_t parked;          /* of them, waiting for a person */
    struct turns turns;      /* of those that are ready to go on */
    void (*wake)(void *arg); /* makes the loop call call_run_ready soon */
    void *wake_arg;
    /* Runs a job that needs no store (it gets NULL) off the loop, and then its `done` on it: files
     * are not read on the store's thread, where others wait. */
    void (*work)(void *arg, struct store_job *job);
    void *work_arg;
    /* Begins a request; NULL with `error` if it can't be made. fetch_cancel ends one before its
     * `done` is called. */
    void *(*fetch)(void *arg, const struct service_fetch *order, struct error *error);
    void (*fetch_cancel)(void *arg, void *request);
    void *fetch_arg;
    /* Calls `done` after `ms`, from the loop; pause_cancel ends that. */
    void *(*pause)(void *arg, int64_t ms, void (*done)(void *arg), void *done_arg);
    void (*pause_cancel)(void *pause);
    void *pause_arg;
    bool stopping;          /* no new calls */
    struct entropy entropy; /* of call ids and seeds */

    /* Called when a reload has changed what lists answer: a set of enum offer_list. NULL: nobody
     * has to know. */
    void (*lists_changed)(void *arg, unsigned lists);
    void *lists_changed_arg;

    struct counters counters;
    /* Tells clients that subscribed to it that a resource has changed. */
    void (*resource_updated)(void *arg, struct bytes uri);
    void *resource_updated_arg;

    uint64_t seal_faults[SEAL_FAULTS]; /* requestStates that did not open, by reason */
};

#endif
