#include "cli/serving.h"

#include "base/clock.h"

#include <signal.h>

enum { DRAIN_EVERY_MS = 20, DRAIN_MOST_MS = 5000 };

static void close_handles(struct serving *s)
{
    s->ops->free(s->transport);
    uv_close((uv_handle_t *)&s->terminate, NULL);
    uv_close((uv_handle_t *)&s->interrupt, NULL);
    uv_close((uv_handle_t *)&s->hangup, NULL);
    uv_close((uv_handle_t *)&s->drain, NULL);
}

static void on_drain(uv_timer_t *timer)
{
    struct serving *s = timer->data;
    if (!s->ops->idle(s->transport) && clock_mono_ms() < s->drain_until_ms) return;
    uv_timer_stop(timer);
    close_handles(s);
}

/* No call is left: what remains are replies on their way out. */
static void on_worker_stopped(void *arg)
{
    struct serving *s = arg;
    s->drain_until_ms = clock_mono_ms() + DRAIN_MOST_MS;
    uv_timer_start(&s->drain, on_drain, 0, DRAIN_EVERY_MS);
}

void serving_stop(struct serving *s)
{
    if (s->stopping) return;
    s->stopping = true;
    watch_free(s->watch);
    s->watch = NULL;
    s->ops->quiesce(s->transport);
    worker_stop(s->worker, on_worker_stopped, s);
}

/* Without a handler the next signal does what it does by default, even if the loop is stuck. */
static void on_signal(uv_signal_t *handle, int number)
{
    struct serving *s = handle->data;
    (void)number;
    if (!s->supervised) {
        uv_signal_stop(&s->terminate);
        uv_signal_stop(&s->interrupt);
    }
    if (!s->stopping)
        log_line(&s->log, LOG_NOTICE,
                 "stopping: finishing what runs (a second signal ends at once)");
    serving_stop(s);
}

static void on_hangup(uv_signal_t *handle, int number)
{
    struct serving *s = handle->data;
    (void)number;
    worker_reload(s->worker);
}

static void on_change(void *arg)
{
    struct serving *s = arg;
    worker_reload(s->worker);
}

static void watch_signal(struct serving *s, uv_signal_t *handle, uv_signal_cb callback, int number)
{
    uv_signal_init(&s->loop, handle);
    handle->data = s;
    uv_signal_start(handle, callback, number);
}

void serving_open(struct serving *s, struct store *store, struct generation *scripts)
{
    uv_loop_init(&s->loop);
    uv_timer_init(&s->loop, &s->drain);
    s->drain.data = s;
    s->worker = worker_new(&s->loop, &s->settings, &s->log, store, scripts);
}

void serving_arm(struct serving *s, const struct serving_transport *ops, void *transport)
{
    s->ops = ops;
    s->transport = transport;
    watch_signal(s, &s->terminate, on_signal, SIGTERM);
    watch_signal(s, &s->interrupt, on_signal, SIGINT);
    watch_signal(s, &s->hangup, on_hangup, SIGHUP);
    if (s->watching)
        s->watch =
            watch_new(&s->loop, s->settings.scripts, s->settings.config, &s->log, on_change, s);
}

void serving_loop(struct serving *s)
{
    uv_run(&s->loop, UV_RUN_DEFAULT);
    worker_free(s->worker);
    uv_loop_close(&s->loop);
}
