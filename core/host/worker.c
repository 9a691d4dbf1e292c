#include "host/worker.h"

#include "base/clock.h"
#include "base/mem.h"
#include "call/call.h"
#include "call/callbacks.h"
#include "call/tasks.h"
#include "eras/legacy.h"
#include "eras/modern.h"
#include "eras/subscriptions.h"
#include "host/fetch.h"
#include "host/pause.h"
#include "host/reload.h"
#include "host/status.h"
#include "methods/capabilities.h"
#include "script/offer.h"

#include <stdlib.h>
#include <string.h>

enum { TICK_MS = 250 };

struct worker {
    struct service service;
    struct reload *reload;
    struct fetch *fetch;
    uv_async_t wake;
    uv_timer_t tick;
    uv_prepare_t turn;
    int open_handles;
    void (*stopped)(void *arg);
    void *stopped_arg;
};

static void wake(void *arg)
{
    uv_async_send(arg);
}

/* A job on a thread of libuv's pool. */
struct work {
    uv_work_t request;
    struct worker *worker;
    struct store_job *job;
};

static void run_work(uv_work_t *request)
{
    const struct work *work = request->data;
    work->job->run(work->job, NULL);
}

static void work_done(uv_work_t *request, int status)
{
    struct work *work = request->data;
    (void)status; /* nobody cancels it */
    work->job->done(work->job);
    uv_async_send(&work->worker->wake);
    free(work);
}

static void start_work(void *arg, struct store_job *job)
{
    struct work *work = mem_alloc(sizeof *work);
    *work = (struct work){.worker = arg, .job = job};
    work->request.data = work;
    uv_queue_work(work->worker->tick.loop, &work->request, run_work, work_done);
}

static void lists_changed(void *arg, unsigned lists)
{
    legacy_lists_changed(arg, lists);
    subscriptions_lists_changed(arg, lists);
}

static void resource_updated(void *arg, struct bytes uri)
{
    legacy_resource_updated(arg, uri);
    subscriptions_resource_updated(arg, uri);
}

static void part_closed(void *arg)
{
    struct worker *w = arg;
    if (--w->open_handles == 0) w->stopped(w->stopped_arg);
}

static void closed(uv_handle_t *handle)
{
    part_closed(handle->data);
}

/* Stopping ends when the last call has: then nothing needs the loop any more. */
static void close_if_stopped(struct worker *w)
{
    if (!w->service.stopping || w->service.calls || reload_busy(w->reload)) return;
    if (uv_is_closing((uv_handle_t *)&w->tick)) return;
    w->open_handles = 4;
    fetch_close(w->fetch, part_closed, w);
    uv_close((uv_handle_t *)&w->tick, closed);
    uv_close((uv_handle_t *)&w->turn, closed);
    uv_close((uv_handle_t *)&w->wake, closed);
}

static void on_wake(uv_async_t *handle)
{
    struct worker *w = handle->data;
    store_queue_reap(w->service.store);
    call_run_ready(&w->service);
    close_if_stopped(w);
}

static void on_tick(uv_timer_t *handle)
{
    struct worker *w = handle->data;
    int64_t now_ms = clock_mono_ms();
    call_tick(&w->service, now_ms);
    call_run_ready(&w->service);
    legacy_tick(&w->service, now_ms);
    tasks_tick(&w->service, now_ms);
    close_if_stopped(w);
}

static void on_turn(uv_prepare_t *handle)
{
    turns_begin(&((struct worker *)handle->data)->service.turns);
}

struct worker *worker_new(uv_loop_t *loop, const struct settings *settings, struct log *log,
                          struct store *store, struct generation *generation)
{
    struct worker *w = mem_alloc(sizeof *w);
    struct service *s = &w->service;
    uv_async_init(loop, &w->wake, on_wake);
    uv_timer_init(loop, &w->tick);
    uv_prepare_init(loop, &w->turn);
    w->wake.data = w->tick.data = w->turn.data = w;
    s->settings = settings;
    s->log = log;
    s->generation = generation;
    s->generation_number = 1;
    s->started_ms = s->loaded_ms = clock_wall_ms();
    s->store = store_queue_new(store, wake, &w->wake);
    s->legacy = legacy_new();
    turns_init(&s->turns);
    s->wake = wake;
    s->wake_arg = &w->wake;
    s->work = start_work;
    s->work_arg = w;
    w->fetch = fetch_new(loop);
    s->fetch = fetch_start;
    s->fetch_cancel = fetch_cancel;
    s->fetch_arg = w->fetch;
    s->pause = pause_start;
    s->pause_cancel = pause_cancel;
    s->pause_arg = loop;
    s->lists_changed = lists_changed;
    s->lists_changed_arg = s;
    s->resource_updated = resource_updated;
    s->resource_updated_arg = s;
    w->reload = reload_new(s);
    uv_timer_start(&w->tick, on_tick, TICK_MS, TICK_MS);
    uv_prepare_start(&w->turn, on_turn);
    return w;
}

void worker_free(struct worker *w)
{
    if (!w) return;
    store_queue_free(w->service.store);
    legacy_free(w->service.legacy);
    registry_release(w->service.generation);
    reload_free(w->reload);
    free(w->service.load_error);
    free(w->service.load_source);
    free(w->service.load_caret);
    free(w);
}

void worker_reload(struct worker *w)
{
    if (!w->service.stopping) reload_begin(w->reload);
}

bool worker_reloading(const struct worker *w)
{
    return reload_busy(w->reload);
}

const char *worker_load_error(const struct worker *w)
{
    return w->service.load_error;
}

const struct settings *worker_settings(const struct worker *w)
{
    return w->service.settings;
}

struct log *worker_log(const struct worker *w)
{
    return w->service.log;
}

enum worker_verdict worker_admit(const struct worker *w, const struct worker_visit *visit)
{
    const struct settings *settings = w->service.settings;
    if (!origin_host_allowed(visit->host, (const char *const *)settings->allowed_hosts))
        return WORKER_BAD_HOST;
    if (!visit->origin.p) return WORKER_WELCOME;
    if (visit->origin_repeated || !origin_allowed(settings->allowed_origins, visit->origin))
        return WORKER_BAD_ORIGIN;
    return WORKER_WELCOME;
}

bool worker_names_loopback(struct bytes host)
{
    return origin_host_allowed(host, NULL);
}

const char *worker_page(const struct worker *w, const char *path, struct buf *out)
{
    static const struct {
        const char *path, *type;
        void (*write)(const struct service *s, struct buf *out);
    } PAGES[] = {
        {"/status", "application/json", status_write},
        {"/metrics", "text/plain; version=0.0.4", status_write_metrics},
    };
    for (size_t i = 0; i < sizeof PAGES / sizeof PAGES[0]; i++) {
        if (strcmp(path, PAGES[i].path) != 0) continue;
        if (out) PAGES[i].write(&w->service, out);
        return PAGES[i].type;
    }
    return NULL;
}

/* The body says which era it is; the header only where the body says nothing. */
static bool is_modern(struct exchange *x, const struct json *root)
{
    const struct json *meta = json_get(json_get(root, "params"), "_meta");
    if (json_get(meta, "io.modelcontextprotocol/protocolVersion")) return true;
    if (modern_is_cancellation(x, root)) return true;
    if (!x->has_headers || x->channel->header(x, "Mcp-Session-Id").p) return false;
    if (bytes_equal(json_string(json_get(root, "method")), BYTES("initialize"))) return false;
    return bytes_equal(x->channel->header(x, "MCP-Protocol-Version"),
                       BYTES(CAPABILITIES_MODERN_VERSION));
}

static void feed_modern(struct exchange *x, const struct json *root)
{
    enum rpc_code code;
    const char *reason;
    if (rpc_read(root, &x->message, &code, &reason) == 0)
        modern_feed(x);
    else
        exchange_error(x, code, reason);
}

static void feed_post(struct exchange *x)
{
    struct json_error fault;
    struct error reason;
    const struct json *root = json_parse(&x->arena, x->body, &JSON_LIMITS, &fault);
    if (!root) {
        error_set(&reason, "Parse error: %s at byte %zu", fault.reason, fault.at);
        exchange_error(x, RPC_PARSE_ERROR, reason.text);
    } else if (is_modern(x, root)) {
        feed_modern(x, root);
    } else {
        legacy_post(x, root);
    }
}

void worker_feed(struct worker *w, struct exchange *x)
{
    x->service = &w->service;
    switch (x->verb) {
    case EXCHANGE_POST:
        feed_post(x);
        break;
    case EXCHANGE_GET:
        legacy_get(x);
        break;
    case EXCHANGE_DELETE:
        legacy_delete(x);
        break;
    case EXCHANGE_CALLBACK:
        callbacks_feed(x);
        break;
    }
}

void worker_stop(struct worker *w, void (*stopped)(void *arg), void *arg)
{
    w->stopped = stopped;
    w->stopped_arg = arg;
    w->service.stopping = true;
    reload_cut(w->reload);
    legacy_stop(&w->service);
    subscriptions_stop(&w->service);
    uv_async_send(&w->wake);
}
