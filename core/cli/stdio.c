#include "cli/stdio.h"

#include "base/clock.h"
#include "cli/flags.h"
#include "cli/prepare.h"
#include "host/config.h"
#include "host/watch.h"
#include "transports/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DRAIN_EVERY_MS = 20, DRAIN_MOST_MS = 5000 };

static const char USAGE[] =
    "usage: lunask stdio [flags]\n\n"
    "Serves the tools of a folder of Lua scripts to the program that starts it: JSON-RPC\n"
    "messages, one a line, on standard input and output. The log goes to standard error.\n\n"
    "  --scripts DIR            the folder (default: scripts); clients start it anywhere, so name\n"
    "                           the whole path\n"
    "  --store PATH|memory:     where scripts keep rows (default: lunask/store.db in the\n"
    "                           user's state folder; memory: forgets them at the end)\n"
    "  --config FILE            the settings (default: host.lua in the scripts folder)\n"
    "  --watch                  reload the scripts whenever one of them is saved\n\n"
    "SIGHUP reloads the scripts too. It ends when standard input does, or on SIGTERM.\n";

struct server {
    struct settings settings;
    struct log log;
    uv_loop_t loop;
    uv_signal_t terminate, interrupt, hangup;
    uv_timer_t drain;
    struct worker *worker;
    struct stdio *stdio;
    bool watching;
    struct watch *watch;
    bool stopping;
    int64_t drain_until_ms;
};

static void close_handles(struct server *s)
{
    stdio_free(s->stdio);
    uv_close((uv_handle_t *)&s->terminate, NULL);
    uv_close((uv_handle_t *)&s->interrupt, NULL);
    uv_close((uv_handle_t *)&s->hangup, NULL);
    uv_close((uv_handle_t *)&s->drain, NULL);
}

static void on_drain(uv_timer_t *timer)
{
    struct server *s = timer->data;
    if (!stdio_idle(s->stdio) && clock_mono_ms() < s->drain_until_ms) return;
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

static void stop(struct server *s)
{
    if (s->stopping) return;
    s->stopping = true;
    watch_free(s->watch);
    s->watch = NULL;
    stdio_quiesce(s->stdio);
    worker_stop(s->worker, on_worker_stopped, s);
}

static void on_gone(void *arg)
{
    stop(arg);
}

/* Without a handler the next one does what it does by default, even if the loop is stuck. */
static void on_signal(uv_signal_t *handle, int number)
{
    struct server *s = handle->data;
    (void)number;
    uv_signal_stop(&s->terminate);
    uv_signal_stop(&s->interrupt);
    log_line(&s->log, LOG_NOTICE, "stopping: finishing what runs (a second signal ends at once)");
    stop(s);
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

/* Moves the channel to descriptors of its own and puts standard error in the place of standard
 * output, so that nothing but messages can get into it, whoever prints. The three must be open
 * first: a store that got the number of a closed one would be logged into. */
static int take_channel(int *in_r, int *out_r, struct error *error)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    *in_r = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    *out_r = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    bool there = null > STDERR_FILENO && *in_r >= 0 && *out_r >= 0;
    if (there) {
        if (fcntl(STDERR_FILENO, F_GETFD) < 0) dup2(null, STDERR_FILENO);
        dup2(null, STDIN_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    if (null > STDERR_FILENO) close(null);
    if (there) return 0;
    return error_set(error, "standard input or output is closed: there is nobody to serve");
}

/* Takes store, scripts and the channel. */
static int run(struct server *s, struct store *store, struct generation *scripts, int in, int out,
               struct error *error)
{
    uv_loop_init(&s->loop);
    uv_timer_init(&s->loop, &s->drain);
    s->drain.data = s;
    s->worker = worker_new(&s->loop, &s->settings, &s->log, store, scripts);
    s->stdio = stdio_new(&s->loop, s->worker, in, out, on_gone, s, error);
    if (!s->stdio) return -1;
    watch_signal(s, &s->terminate, on_signal, SIGTERM);
    watch_signal(s, &s->interrupt, on_signal, SIGINT);
    watch_signal(s, &s->hangup, on_hangup, SIGHUP);
    if (s->watching)
        s->watch =
            watch_new(&s->loop, s->settings.scripts, s->settings.config, &s->log, on_change, s);
    log_line(&s->log, LOG_NOTICE, "serving %zu tool%s of %s on standard input and output",
             registry_count(scripts, OFFER_TOOL),
             registry_count(scripts, OFFER_TOOL) == 1 ? "" : "s", s->settings.scripts);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    worker_free(s->worker);
    uv_loop_close(&s->loop);
    return 0;
}

static int serve(struct server *s, const struct config_flags *flags, struct error *error)
{
    int in, out;
    if (take_channel(&in, &out, error) != 0) return -1;
    if (config_read(flags, &s->settings, error) != 0) return -1;
    prepare_keys(&s->settings);
    struct generation *scripts = prepare_scripts(&s->settings, &s->log, error);
    struct store *store = scripts ? prepare_store(&s->settings, error) : NULL;
    if (store) return run(s, store, scripts, in, out, error);
    registry_release(scripts);
    return -1;
}

int stdio_main(int argc, char **argv)
{
    struct config_flags given = {.piped = true};
    struct server server = {.log = {stderr, LOG_INFO}};
    const struct flag flags[] = {{"--scripts", &given.scripts, NULL},
                                 {"--store", &given.store, NULL},
                                 {"--config", &given.config, NULL},
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
    if (result == 0) return 0;
    fprintf(stderr, "lunask stdio: %s\n", error.text);
    return 1;
}
