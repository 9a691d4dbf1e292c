#include "cli/serve.h"

#include "base/clock.h"
#include "cli/flags.h"
#include "cli/prepare.h"
#include "cli/supervise.h"
#include "host/config.h"
#include "host/watch.h"
#include "script/registry.h"
#include "transports/http.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DRAIN_EVERY_MS = 20, DRAIN_MOST_MS = 5000 };

static const char USAGE[] =
    "usage: lunask serve [flags]\n\n"
    "Serves the tools of a folder of Lua scripts over HTTP, at /mcp and /api/mcp.\n\n"
    "  --scripts DIR            the folder (default: scripts)\n"
    "  --listen HOST:PORT       where (default: 127.0.0.1:3000; port 0: any free one)\n"
    "  --store PATH|memory:     where scripts keep rows (default: lunask/store.db in the\n"
    "                           user's state folder; memory: forgets them at the end)\n"
    "  --config FILE            the settings (default: host.lua in the scripts folder)\n"
    "  --allowed-origins LIST   browsers that may call, comma-separated\n"
    "                           (also: MCP_ALLOWED_ORIGINS)\n"
    "  --watch                  reload the scripts whenever one of them is saved\n\n"
    "SIGHUP reloads the scripts too. Scripts that don't load change nothing: what was loaded\n"
    "before goes on, and the log says why.\n";

struct server {
    struct settings settings;
    struct log log;
    uv_loop_t loop;
    uv_signal_t terminate, interrupt, hangup;
    uv_timer_t drain;
    struct worker *worker;
    struct http *http;
    bool watching;
    struct watch *watch;
    bool stopping;
    int64_t drain_until_ms;
    int ready; /* of a worker: for supervise_ready */
    int code;  /* to end with */
};

static void close_handles(struct server *s)
{
    http_free(s->http);
    supervise_closing();
    uv_close((uv_handle_t *)&s->terminate, NULL);
    uv_close((uv_handle_t *)&s->interrupt, NULL);
    uv_close((uv_handle_t *)&s->hangup, NULL);
    uv_close((uv_handle_t *)&s->drain, NULL);
}

static void on_drain(uv_timer_t *timer)
{
    struct server *s = timer->data;
    if (!http_idle(s->http) && clock_mono_ms() < s->drain_until_ms) return;
    uv_timer_stop(timer);
    close_handles(s);
}

/* No call is left: what remains are replies on their way out. */
static void on_worker_stopped(void *arg)
{
    struct server *s = arg;
    s->drain_until_ms = clock_mono_ms() + DRAIN_MOST_MS;
    uv_timer_start(&s->drain, on_drain, 0, DRAIN_EVERY_MS);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct server *s = handle->data;
    (void)number;
    if (s->stopping) return; /* it is the supervisor who counts */
    s->stopping = true;
    log_line(&s->log, LOG_NOTICE, "stopping: finishing what runs (a second signal ends at once)");
    watch_free(s->watch);
    s->watch = NULL;
    http_quiesce(s->http);
    worker_stop(s->worker, on_worker_stopped, s);
}

static void on_hangup(uv_signal_t *handle, int number)
{
    struct server *s = handle->data;
    (void)number;
    worker_reload(s->worker);
}

static void on_change(void *arg)
{
    struct server *s = arg;
    worker_reload(s->worker);
}

static void watch_signal(struct server *s, uv_signal_t *handle, uv_signal_cb callback, int number)
{
    uv_signal_init(&s->loop, handle);
    handle->data = s;
    uv_signal_start(handle, callback, number);
}

static void announce(struct server *s, int socket, const struct generation *g)
{
    bool v6 = strchr(s->settings.listen_host, ':') != NULL;
    log_line(&s->log, LOG_NOTICE, "serving %zu tool%s of %s at http://%s%s%s:%d/mcp",
             registry_count(g, OFFER_TOOL), registry_count(g, OFFER_TOOL) == 1 ? "" : "s",
             s->settings.scripts, v6 ? "[" : "", s->settings.listen_host, v6 ? "]" : "",
             http_port(socket));
}

/* Takes store, scripts and socket. */
static int run(struct server *s, struct store *store, struct generation *scripts, int socket,
               struct error *error)
{
    uv_loop_init(&s->loop);
    uv_timer_init(&s->loop, &s->drain);
    s->drain.data = s;
    s->worker = worker_new(&s->loop, &s->settings, &s->log, store, scripts);
    s->http = http_new(&s->loop, s->worker, socket, error);
    if (!s->http) return -1;
    watch_signal(s, &s->terminate, on_signal, SIGTERM);
    watch_signal(s, &s->interrupt, on_signal, SIGINT);
    watch_signal(s, &s->hangup, on_hangup, SIGHUP);
    if (s->watching)
        s->watch =
            watch_new(&s->loop, s->settings.scripts, s->settings.config, &s->log, on_change, s);
    supervise_ready(s->ready);
    announce(s, socket, scripts);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    worker_free(s->worker);
    uv_loop_close(&s->loop);
    return 0;
}

/* In a worker process. Takes the socket. */
static int work(struct server *s, int socket, struct error *error)
{
    struct generation *scripts = prepare_scripts(&s->settings, &s->log, error);
    struct store *store = scripts ? prepare_store(&s->settings, error) : NULL;
    if (store) return run(s, store, scripts, socket, error);
    registry_release(scripts);
    close(socket);
    close(s->ready);
    return -1;
}

static int serve(struct server *s, const struct config_flags *flags, struct error *error)
{
    if (config_read(flags, &s->settings, error) != 0) return -1;
    int socket = http_listen(s->settings.listen_host, s->settings.listen_port, error);
    if (socket < 0) return -1;
    prepare_keys(&s->settings);
    struct supervise_role role = supervise_run(&s->log, socket);
    s->ready = role.ready;
    s->code = role.code;
    return role.worker ? work(s, socket, error) : 0;
}

int serve_main(int argc, char **argv)
{
    struct config_flags given = {0};
    struct server server = {.log = {stderr, LOG_INFO}};
    const struct flag flags[] = {{"--scripts", &given.scripts, NULL},
                                 {"--listen", &given.listen, NULL},
                                 {"--store", &given.store, NULL},
                                 {"--config", &given.config, NULL},
                                 {"--allowed-origins", &given.allowed_origins, NULL},
                                 {"--watch", NULL, &server.watching},
                                 {NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    int result = flags_read(argc, argv, flags, NULL, 0, &help, &error);
    if (help) {
        fputs(USAGE, stdout);
        return 0;
    }
    signal(SIGPIPE, SIG_IGN);
    if (result == 0) result = serve(&server, &given, &error);
    config_free(&server.settings);
    if (result == 0) return server.code;
    fprintf(stderr, "lunask serve: %s\n", error.text);
    return 1;
}
