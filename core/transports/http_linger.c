#include "transports/http_linger.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct http_linger {
    uv_poll_t poll;
    uv_timer_t timer;
    struct http_lingers *all;
    struct http_linger *prev, *next;
    int fd;
    size_t left;      /* bytes we are willing to read */
    unsigned handles; /* not yet closed */
};

static void on_closed(uv_handle_t *handle)
{
    struct http_linger *l = handle->data;
    if (--l->handles == 0) free(l);
}

/* Polling stops at once, so the socket may be closed; the handles are the loop's until later. */
static void end(struct http_linger *l)
{
    if (l->prev)
        l->prev->next = l->next;
    else
        l->all->first = l->next;
    if (l->next) l->next->prev = l->prev;
    l->all->n--;
    uv_close((uv_handle_t *)&l->poll, on_closed);
    uv_close((uv_handle_t *)&l->timer, on_closed);
    close(l->fd);
}

/* One read a turn: whoever sends fast must not keep the loop from the others. */
static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct http_linger *l = poll->data;
    char waste[64 * 1024];
    ssize_t n = recv(l->fd, waste, sizeof waste, MSG_DONTWAIT);

    (void)status;
    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0 || (size_t)n >= l->left)
        end(l);
    else
        l->left -= (size_t)n;
}

static void on_timer(uv_timer_t *timer)
{
    end(timer->data);
}

static void add(struct http_lingers *all, struct http_linger *l)
{
    l->all = all;
    l->left = HTTP_LINGER_BYTES;
    l->handles = 2;
    l->next = all->first;
    if (l->next) l->next->prev = l;
    all->first = l;
    all->n++;
    uv_timer_init(all->loop, &l->timer);
    l->poll.data = l->timer.data = l;
    uv_timer_start(&l->timer, on_timer, HTTP_LINGER_MS, 0);
    uv_poll_start(&l->poll, UV_READABLE, on_readable);
}

void http_linger_begin(struct http_lingers *all, int fd)
{
    struct http_linger *l;

    if (all->n >= HTTP_LINGER_SOCKETS) return;
    l = mem_alloc(sizeof *l);
    l->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* libmicrohttpd closes its own */
    if (l->fd < 0) goto fail;
    if (uv_poll_init(all->loop, &l->poll, l->fd) != 0) goto fail;
    shutdown(l->fd, SHUT_WR); /* the refusal is all there is; reading goes on */
    add(all, l);
    return;
fail:
    if (l->fd >= 0) close(l->fd);
    free(l);
}

void http_linger_end_all(struct http_lingers *all)
{
    while (all->first)
        end(all->first);
}
