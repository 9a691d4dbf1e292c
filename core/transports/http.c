#include "transports/http.h"

#include "base/mem.h"
#include "transports/http_request.h"
#include "transports/http_visit.h"

#include <assert.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* libmicrohttpd keeps headers, what it makes of them and the reply's headers in one piece of
     * memory a connection, and clears all of it after each request: no larger than it must be. */
    CONNECTION_BYTES = HTTP_VISIT_HEADER_BYTES + 4 * 1024,
    IDLE_S = 75,          /* without a byte: between requests, or in one; not while suspended */
    TICK_MS = 1000,       /* between two sweeps */
    TICKS_KEEPALIVE = 15, /* between two comments on a silent stream: proxies mostly give it 60 s */
};

struct http {
    struct http_site site;
    struct MHD_Daemon *daemon;
    uv_timer_t timer;
    unsigned ticks;
    unsigned closing; /* parts whose memory is still in use by the loop */
};

/* The watch of a connection is what on_connection keeps in it. */
static struct http_watch *watch_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* libmicrohttpd calls this once with the headers, once for each piece of the body, once at its end,
 * and once more whenever the connection was resumed without a response. MHD_NO drops it. */
static enum MHD_Result on_access(void *arg, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *data,
                                 size_t *data_n, void **request)
{
    struct http *h = arg;
    struct http_line line = {url, method};
    bool go_on;

    (void)version;
    if (!*request) {
        *request = http_request_begin(&h->site, connection, watch_of(connection), &line, &go_on);
    } else if (*data_n > 0) {
        go_on = http_request_body(*request, (struct bytes){data, *data_n});
        *data_n = 0; /* all of the piece was used */
    } else {
        go_on = http_request_go_on(*request);
    }
    return go_on ? MHD_YES : MHD_NO;
}

/* The last word on a request, however it ended; not for those that ended before their headers. */
static void on_completed(void *arg, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode how)
{
    (void)arg;
    (void)connection;
    (void)how;
    if (*request) http_request_end(*request);
    *request = NULL;
}

/* The watch is gone before libmicrohttpd closes the socket. A closed connection may have been what
 * kept the next one waiting at the limit: only another run lets that in. */
static void on_connection(void *arg, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct http *h = arg;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = http_watch_new(
            &h->site.watches,
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
        return;
    }
    http_watch_free(*context);
    *context = NULL;
    http_loop_kick(&h->site.loop);
}

/* What libmicrohttpd has to say is mostly that clients left: nothing an operator must act on. */
static void on_log(void *arg, const char *format, va_list args)
{
    struct http *h = arg;
    char text[512];
    int n = vsnprintf(text, sizeof text, format, args);
    if (n > 0 && (size_t)n < sizeof text && text[n - 1] == '\n') text[n - 1] = '\0';
    log_line(worker_log(h->site.worker), LOG_DEBUG, "http: %s", text);
}

static void on_tick(uv_timer_t *timer)
{
    struct http *h = timer->data;
    if (++h->ticks % TICKS_KEEPALIVE == 0) http_request_keep_alive(&h->site);
    http_watch_sweep(&h->site.watches);
}

/* No thread of libmicrohttpd's own: without MHD_USE_INTERNAL_POLLING_THREAD it runs when
 * http_loop.c calls it. */
static struct MHD_Daemon *start_daemon(struct http *h, int fd)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_access, h,
        MHD_OPTION_EXTERNAL_LOGGER, on_log, h, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)h->site.settings->connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_S, MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_END);
}

struct http *http_new(uv_loop_t *loop, struct worker *worker, int socket, struct error *error)
{
    struct http *h = mem_alloc(sizeof *h);

    h->site.watches.loop = h->site.lingers.loop = loop; /* the daemon's callbacks need them */
    h->site.worker = worker;
    h->site.settings = worker_settings(worker);
    h->daemon = start_daemon(h, socket); /* owns the socket if it started */
    if (!h->daemon) {
        error_set(error, "cannot start the HTTP server; its log at level debug says why");
        close(socket);
        free(h);
        return NULL;
    }
    if (http_loop_start(&h->site.loop, loop, h->daemon, error) != 0) {
        MHD_stop_daemon(h->daemon);
        free(h);
        return NULL;
    }
    uv_timer_init(loop, &h->timer);
    h->timer.data = h;
    uv_timer_start(&h->timer, on_tick, TICK_MS, TICK_MS);
    return h;
}

int http_port(int socket)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof at;

    if (getsockname(socket, &at.any, &size) != 0) return 0;
    return ntohs(at.any.sa_family == AF_INET6 ? at.v6.sin6_port : at.v4.sin_port);
}

void http_quiesce(struct http *h)
{
    int fd;
    if (h->site.quiesced) return;
    h->site.quiesced = true;
    fd = MHD_quiesce_daemon(h->daemon); /* gives the listening socket back */
    if (fd != MHD_INVALID_SOCKET) close(fd);
}

bool http_idle(const struct http *h)
{
    return !h->site.requests;
}

static void closed_one(struct http *h)
{
    if (--h->closing == 0) free(h);
}

static void on_loop_closed(void *arg)
{
    closed_one(arg);
}

static void on_timer_closed(uv_handle_t *handle)
{
    closed_one(handle->data);
}

void http_free(struct http *h)
{
    if (!h) return;
    h->closing = 2; /* the loop and the timer */
    /* In this order: libmicrohttpd aborts if it is stopped with a connection suspended, and closes
     * the epoll set that the loop still polls. */
    http_request_release_all(&h->site);
    http_loop_stop(&h->site.loop, on_loop_closed, h);
    uv_close((uv_handle_t *)&h->timer, on_timer_closed);
    MHD_stop_daemon(h->daemon);
    http_linger_end_all(&h->site.lingers);
}
