#include "cli/stdio.h"

#include "cli/flags.h"
#include "cli/prepare.h"
#include "cli/serving.h"
#include "host/config.h"
#include "transports/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

static void quiesce(void *stdio)
{
    stdio_quiesce(stdio);
}

static bool idle(const void *stdio)
{
    return stdio_idle(stdio);
}

static void free_stdio(void *stdio)
{
    stdio_free(stdio);
}

static const struct serving_transport STDIO = {quiesce, idle, free_stdio};

static void on_gone(void *arg)
{
    serving_stop(arg);
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
static int run(struct serving *s, struct store *store, struct generation *scripts, int in, int out,
               struct error *error)
{
    serving_open(s, store, scripts);
    struct stdio *stdio = stdio_new(&s->loop, s->worker, in, out, on_gone, s, error);
    if (!stdio) return -1;
    serving_arm(s, &STDIO, stdio);
    log_line(&s->log, LOG_NOTICE, "serving %zu tool%s of %s on standard input and output",
             registry_count(scripts, OFFER_TOOL),
             registry_count(scripts, OFFER_TOOL) == 1 ? "" : "s", s->settings.scripts);
    serving_loop(s);
    return 0;
}

static int serve(struct serving *s, const struct config_flags *flags, struct error *error)
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
    struct serving serving = {.log = {stderr, LOG_INFO}};
    const struct flag flags[] = {{"--scripts", &given.scripts, NULL},
                                 {"--store", &given.store, NULL},
                                 {"--config", &given.config, NULL},
                                 {"--watch", NULL, &serving.watching},
                                 {NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    int result = flags_read(argc, argv, flags, NULL, 0, &help, &error);
    if (help) {
        fputs(USAGE, stdout);
        return 0;
    }
    signal(SIGPIPE, SIG_IGN);
    if (result == 0) result = serve(&serving, &given, &error);
    config_free(&serving.settings);
    if (result == 0) return 0;
    fprintf(stderr, "lunask stdio: %s\n", error.text);
    return 1;
}
