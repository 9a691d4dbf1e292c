/* One handler run: a coroutine that stops where the script asks or reads, and goes on with the
 * answer.
 *
 * Words. **park**: the run has yielded and waits for run_resume. **host**: the call above, reached
 * through struct run_host; it decides whether something is known already or must be waited for.
 *
 * Legal order: new, start, then resume as long as the state is RUN_PARKED or RUN_SLICED, free at
 * any time between (a parked coroutine is dropped: none of the script's code runs any more). */
#ifndef LUNASK_SCRIPT_RUN_H
#define LUNASK_SCRIPT_RUN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "store/store.h"
#include "wire/json.h"

#include <stdint.h>

struct grant;
struct offer;
struct run;
struct vm;

enum run_state {
    RUN_PARKED,
    RUN_DONE,
    RUN_FAILED,
    RUN_ABANDONED, /* stopped, as its client had left: nobody is to be told */
    RUN_SLICED,    /* has more to do; run_resume it (empty, NULL) when others have had their turn */
};

/* Where a run begins. */
enum run_entry {
    RUN_HANDLER,  /* the offer's check and handler, with its arguments */
    RUN_COMPLETE, /* its `complete`, with the params of completion/complete; it can't ask */
};

/* What the host makes of a request of the script. */
enum run_answer {
    RUN_ANSWERED,    /* `json` holds the answer (empty: absent, nil) */
    RUN_WAIT,        /* park; the host calls run_resume later */
    RUN_REFUSED,     /* `error` is raised in the script */
    RUN_UNSUPPORTED, /* the client lacks capabilities, which `json` names, separated by spaces;
                        raised, and if nobody catches it the run fails with run_unsupported() set */
};

enum { RUN_QUESTIONS = 32 }; /* of one round: a person is to answer them */

/* A question to the client. Views are borrowed for the call. */
struct run_question {
    struct bytes key;          /* its name in inputRequests; empty: by order */
    struct bytes method;       /* "elicitation/create" */
    struct bytes capabilities; /* that it needs, separated by spaces: "elicitation.form" */
    struct bytes params;       /* canonical JSON text; empty: none */
    bool required; /* of a URL elicitation: where the protocol has an error that says so, the call
                      ends with it and does not wait */
};

/* The answers of FILE and FETCH are a head, a line break, and bytes that need not be JSON. The head
 * of a file is empty, that of a response {"status":…,"headers":{…}}; a file that is not there is an
 * empty answer as ever. */
enum run_read_kind { RUN_GET, RUN_LIST, RUN_COUNT, RUN_FILE, RUN_FETCH, RUN_CALLBACK, RUN_SLEEP };

struct run_read {
    enum run_read_kind kind;
    struct bytes owner;           /* whose collection; empty: the script's own */
    struct bytes collection, key; /* key: of GET; of LIST the row to start after, may be empty; of
                                     FILE its path. Of FETCH the method, and the URL */
    struct bytes headers, body;   /* of FETCH: an object of strings as JSON text; {NULL, 0}: none */
    int64_t limit;                /* of LIST; of SLEEP the milliseconds */
};

/* What the host is told of for its counters, once a run each. */
enum run_limit {
    RUN_CPU,         /* stopped: vm_cpu */
    RUN_MEMORY,      /* failed for want of memory */
    RUN_ALLOCATIONS, /* stopped: went on although its allocations failed */
    RUN_DROPPED,     /* the VM was given up, whatever became of the run */
    RUN_LOG,         /* logged more than it may */
};

struct run_host {
    /* Asks 1 to RUN_QUESTIONS questions together. The answer is the client's result for the one
     * question, or an array of its results for several. */
    enum run_answer (*ask)(void *call, const struct run_question *questions, size_t n,
                           struct buf *json, struct error *error);
    enum run_answer (*read)(void *call, const struct run_read *r, struct buf *json,
                            struct error *error);
    /* Stages a write; an empty `script` stands for the script's own rows. */
    int (*write)(void *call, const struct store_write *w, struct error *error);
    /* Asked before whatever is not the script's own is used. Returns 0; or -1 with `error`, which
     * is for those who mend host.lua and not for the user. */
    int (*granted)(void *call, const struct grant *use, struct error *error);
    /* Adds a key that no other append has, greater than those before it. */
    void (*new_key)(void *call, struct buf *key);
    struct bytes (*once)(void *call, struct bytes name);
    int (*set_once)(void *call, struct bytes name, struct bytes json, struct error *error);
    /* `text` is plain, or the JSON text of what is no string. */
    void (*log)(void *call, enum log_level level, struct bytes text, bool is_json);
    /* `members` is the text of an object that has `value`, as progress, with total and message. */
    void (*progress)(void *call, double value, struct bytes members);
    /* Notes that a resource has changed, for those who subscribed to it. Returns 0; or -1 with
     * `error` if it can't be one, or is too much. */
    int (*updated)(void *call, struct bytes uri, struct error *error);
    /* Lets go of the client's connection; false if this client would not come back. */
    bool (*close_stream)(void *call);
    /* True once the client has cancelled the call: whatever it does is for nothing. */
    bool (*cancelled)(void *call);
    bool (*supports)(void *call, struct bytes capability);
    void (*limited)(void *call, enum run_limit limit);
    /* Adds the URL of the call's callback. Returns 0, or -1 with `error` for those who mend
     * host.lua. */
    int (*callback)(void *call, struct buf *url, struct error *error);
    /* Waits for what a browser brings to that URL; `read` of RUN_CALLBACK tells what came before.
     */
    enum run_answer (*await)(void *call, struct buf *json, struct error *error);
    /* The call may go on as a task from here: RUN_ANSWERED if it goes on as it is, RUN_WAIT if the
     * host ends it and runs it again as one. */
    enum run_answer (*become_task)(void *call);
    /* What the URL elicitation `key` was for is done; an empty key stands for all of the call. */
    void (*complete)(void *call, struct bytes key);
    /* Adds {"client":…,"era":…,"call_id":…,"principal":…}. */
    void (*describe)(void *call, struct buf *json);
};

/* `started_ms` is what os.time tells, `seed` what math.random starts from. Returns owned, or NULL
 * with `error` when the VM has no memory left. */
struct run *run_new(struct vm *vm, const struct run_host *host, void *call, int64_t started_ms,
                    const unsigned char seed[16], struct error *error);
void run_free(struct run *r);

/* Has `trace` (borrowed for the run's life) put at the end of what the log is told of the run. */
void run_set_trace(struct run *r, const char *trace);

/* Names the socket, or -1, whose hang-up stops the run, wherever it is. Until then none does. */
void run_watch(struct run *r, int socket);

/* Says before run_start that the run may be a long one: its slices are short from the start. */
void run_set_long(struct run *r);

/* Runs what the offer has for `entry` on `arguments` (borrowed for the call). The offer is of the
 * run's VM. */
enum run_state run_start(struct run *r, const struct offer *offer, enum run_entry entry,
                         const struct json *arguments);

/* Goes on with the answer to what the run waits for: JSON text, empty for absent; or, if `error` is
 * not NULL, raises it there. */
enum run_state run_resume(struct run *r, struct bytes json, const char *error);

/* True of a parked run whose VM has died, or was made anew, since: run_resume can only fail. */
bool run_is_lost(const struct run *r);

/* After RUN_DONE: the members of the result object as JSON text without braces ("content":[…]),
 * its _meta object separately (may be empty), and whether it is an error. Only tools have results
 * that are errors; where another handler returns nil and maybe a reason, there are no fields and
 * run_refusal is the reason, which may be empty. {NULL, 0}: it did not. */
struct bytes run_fields(const struct run *r);
struct bytes run_meta(const struct run *r);
bool run_is_error(const struct run *r);
struct bytes run_refusal(const struct run *r);

/* After RUN_DONE of a resource: the ms that the client may keep what it read (-1: the script does
 * not say), and whether it is the same for everybody. */
int64_t run_ttl_ms(const struct run *r);
bool run_is_public(const struct run *r);

/* After RUN_FAILED: the capabilities the client lacks, separated by spaces ({NULL, 0} if that was
 * not the reason), or what the user may read; the traceback has gone to the log under the reference
 * in it. */
struct bytes run_unsupported(const struct run *r);
struct bytes run_failure(const struct run *r);

/* After RUN_FAILED: a limit of the host ended it, and not the script by an error of its own. */
bool run_was_stopped(const struct run *r);

#endif
