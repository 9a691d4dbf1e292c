/* One event loop's worth of host: generation, calls, sessions, store queue.
 *
 * The life of a worker is admit → feed → tick: a transport asks worker_admit before it reads a
 * body, hands a whole message to worker_feed, and reports a client that left with exchange_gone;
 * the loop calls worker_tick four times a second. Everything happens on the loop's thread. */
#ifndef LUNASK_HOST_WORKER_H
#define LUNASK_HOST_WORKER_H

#include "base/log.h"
#include "call/exchange.h"
#include "call/settings.h"
#include "script/registry.h"
#include "store/store.h"

#include <uv.h>

struct worker;

/* What a request brings before its body. A header that is missing is {NULL, 0}. */
struct worker_visit {
    struct bytes origin;
    bool origin_repeated;
    struct bytes host;
};

enum worker_verdict { WORKER_WELCOME, WORKER_BAD_ORIGIN, WORKER_BAD_HOST };

/* Takes `store` and `generation`; borrows the rest, which must outlive the worker. */
struct worker *worker_new(uv_loop_t *loop, const struct settings *settings, struct log *log,
                          struct store *store, struct generation *generation);

/* Begins to read the scripts again (reload.h): the loop goes on meanwhile, and swaps them in when
 * they are loaded. Nothing happens if the worker is stopping. */
void worker_reload(struct worker *w);

/* True until what worker_reload began has ended. */
bool worker_reloading(const struct worker *w);

/* Returns why the last reload failed ("scripts/x.lua:12: …"), or NULL if it did not. Borrowed until
 * the next one. */
const char *worker_load_error(const struct worker *w);

/* Only after worker_stop has called back. */
void worker_free(struct worker *w);

const struct settings *worker_settings(const struct worker *w);
struct log *worker_log(const struct worker *w);

/* Checks Origin and Host (contract: Origin allowlist). */
enum worker_verdict worker_admit(const struct worker *w, const struct worker_visit *visit);

/* True if a Host header is one of loopback's names. */
bool worker_names_loopback(struct bytes host);

/* The pages of the host itself, beside the endpoint. Returns the type of the one at `path`, or NULL
 * if there is none; adds its text to `out`, unless that is NULL: `w` may be, too, then. */
const char *worker_page(const struct worker *w, const char *path, struct buf *out);

/* Handles the message in x->body: replies at once, or later through x->channel. */
void worker_feed(struct worker *w, struct exchange *x);

/* Refuses new calls, cancels what waits for a person, lets what runs come to its end (of a reload
 * the script that is being loaded), then calls `stopped(arg)` from the loop. */
void worker_stop(struct worker *w, void (*stopped)(void *arg), void *arg);

#endif
