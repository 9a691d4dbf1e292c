#include "cli/serve.h"

#include "cli/flags.h"
#include "cli/prepare.h"
#include "cli/serving.h"
#include "cli/supervise.h"
#include "host/config.h"
#include "script/registry.h"
#include "transports/http.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    struct serving serving;
    int ready; /* of a worker: for supervise_ready */
    int code;  /* to end with */
};

static void quiesce(void *http)
{
    http_quiesce(http);
}

static bool idle(const void *http)
{
    return http_idle(http);
}

/* The port is let go of; the supervisor is told before the process has ended. */
static void free_http(void *http)
{
    http_free(http);
    supervise_closing();
}

static const struct serving_transport HTTP = {quiesce, idle, free_http};

static void announce(struct serving *s, int socket, const struct generation *g)
{
    bool v6 = strchr(s->settings.listen_host, ':') != NULL;
    log_line(&s->log, LOG_NOTICE, "serving %zu tool%s of %s at http://%s%s%s:%d/mcp",
             registry_count(g, OFFER_TOOL), registry_count(g, OFFER_TOOL) == 1 ? "" : "s",
             s->settings.scripts, v6 ? "[" : "", s->settings.listen_host, v6 ? "]" : "",
             http_port(socket));
}

/* Takes store, scripts and socket. */
static int run(struct server *server, struct store *store, struct generation *scripts, int socket,
               struct error *error)
{
    struct serving *s = &server->serving;
    serving_open(s, store, scripts);
    struct http *http = http_new(&s->loop, s->worker, socket, error);
    if (!http) return -1;
    serving_arm(s, &HTTP, http);
    supervise_ready(server->ready);
    announce(s, socket, scripts);
    serving_loop(s);
    return 0;
}

/* In a worker process. Takes the socket. */
static int work(struct server *s, int socket, struct error *error)
{
    struct generation *scripts = prepare_scripts(&s->serving.settings, &s->serving.log, error);
    struct store *store = scripts ? prepare_store(&s->serving.settings, error) : NULL;
    if (store) return run(s, store, scripts, socket, error);
    registry_release(scripts);
    close(socket);
    close(s->ready);
    return -1;
}

static int serve(struct server *server, const struct config_flags *flags, struct error *error)
{
    struct serving *s = &server->serving;
    if (config_read(flags, &s->settings, error) != 0) return -1;
    int socket = http_listen(s->settings.listen_host, s->settings.listen_port, error);
    if (socket < 0) return -1;
    prepare_keys(&s->settings);
    struct supervise_role role = supervise_run(&s->log, socket);
    server->ready = role.ready;
    server->code = role.code;
    return role.worker ? work(server, socket, error) : 0;
}

int serve_main(int argc, char **argv)
{
    struct config_flags given = {0};
    struct server server = {.serving = {.log = {stderr, LOG_INFO}, .supervised = true}};
    const struct flag flags[] = {{"--scripts", &given.scripts, NULL},
                                 {"--listen", &given.listen, NULL},
                                 {"--store", &given.store, NULL},
                                 {"--config", &given.config, NULL},
                                 {"--allowed-origins", &given.allowed_origins, NULL},
                                 {"--watch", NULL, &server.serving.watching},
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
    config_free(&server.serving.settings);
    if (result == 0) return server.code;
    fprintf(stderr, "lunask serve: %s\n", error.text);
    return 1;
}
