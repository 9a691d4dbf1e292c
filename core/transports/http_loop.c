#include "transports/http_loop.h"

#include <assert.h>
#include <microhttpd.h>

/* A run asks for another at once when a connection has more to read or write than fits in one.
 * This is how often it gets that before everything else on the loop gets its turn. */
enum { ROUNDS = 8 };

static void on_timer(uv_timer_t *timer)
{
    http_loop_kick(timer->data);
}

/* Returns the milliseconds after which the daemon wants to run, or -1 for never. */
static int64_t wanted_in(struct http_loop *l)
{
    MHD_UNSIGNED_LONG_LONG ms;
    if (l->kicked) return 0; /* a callback of this very run resumed somebody */
    return MHD_get_timeout(l->daemon, &ms) == MHD_YES ? (int64_t)ms : -1;
}

/* Timeouts only ever move away while there is traffic: a timer that is early costs one idle run,
 * a timer set anew each turn costs all of them. */
static void arm(struct http_loop *l, int64_t ms)
{
    if (ms < 0 ||
        (uv_is_active((uv_handle_t *)&l->timer) && uv_timer_get_due_in(&l->timer) <= (uint64_t)ms))
        return;
    uv_timer_start(&l->timer, on_timer, (uint64_t)ms, 0);
}

static void run(struct http_loop *l)
{
    int64_t ms;
    int rounds = 0;

    assert(!l->running);
    do {
        l->kicked = false;
        l->running = true;
        MHD_run(l->daemon);
        l->running = false;
        ms = wanted_in(l);
        /* Still 0 after the last round, the timer is armed with 0: the next turn goes on. */
    } while (ms == 0 && ++rounds < ROUNDS);
    arm(l, ms);
}

/* Two handles, as a turn has two places where work may have come up: kicked by a timer, it must be
 * done before the poll; kicked by what the poll brought, before the turn ends. */
static void on_prepare(uv_prepare_t *prepare)
{
    struct http_loop *l = prepare->data;
    if (l->kicked) run(l);
}

static void on_check(uv_check_t *check)
{
    struct http_loop *l = check->data;
    if (l->kicked) run(l);
}

static void on_epoll(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    http_loop_kick(poll->data);
}

int http_loop_start(struct http_loop *l, uv_loop_t *loop, struct MHD_Daemon *daemon,
                    struct error *error)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    int failed;

    *l = (struct http_loop){.daemon = daemon};
    if (!info) return error_set(error, "this libmicrohttpd was built without epoll");
    failed = uv_poll_init(loop, &l->epoll, info->epoll_fd);
    if (failed) return error_set(error, "cannot watch connections: %s", uv_strerror(failed));
    uv_timer_init(loop, &l->timer);
    uv_prepare_init(loop, &l->prepare);
    uv_check_init(loop, &l->check);
    l->epoll.data = l->timer.data = l->prepare.data = l->check.data = l;
    uv_poll_start(&l->epoll, UV_READABLE, on_epoll);
    uv_prepare_start(&l->prepare, on_prepare);
    uv_check_start(&l->check, on_check);
    l->handles = 4;
    http_loop_kick(l); /* the first run puts the listening socket into the epoll set */
    return 0;
}

void http_loop_kick(struct http_loop *l)
{
    l->kicked = true;
}

void http_loop_resume(struct http_loop *l, struct MHD_Connection *connection)
{
    MHD_resume_connection(connection);
    http_loop_kick(l);
}

static void on_closed(uv_handle_t *handle)
{
    struct http_loop *l = handle->data;
    if (--l->handles == 0) l->closed(l->arg);
}

void http_loop_stop(struct http_loop *l, void (*closed)(void *arg), void *arg)
{
    assert(!l->running);
    l->closed = closed;
    l->arg = arg;
    uv_close((uv_handle_t *)&l->epoll, on_closed);
    uv_close((uv_handle_t *)&l->timer, on_closed);
    uv_close((uv_handle_t *)&l->prepare, on_closed);
    uv_close((uv_handle_t *)&l->check, on_closed);
}
