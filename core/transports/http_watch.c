#include "transports/http_watch.h"

#include "base/mem.h"

#include <stdlib.h>
#include <sys/socket.h>

struct http_watch {
    uv_poll_t poll;
    struct http_watches *all;
    struct http_watch *prev, *next;
    int socket;
    bool polling;            /* `poll` is a handle of the loop */
    bool gone;               /* the client has left; for good */
    bool busy;               /* a request is being answered */
    void (*left)(void *arg); /* NULL: nobody is to be told */
    void *arg;
};

struct http_watch *http_watch_new(struct http_watches *all, int socket)
{
    struct http_watch *w = mem_alloc(sizeof *w);
    w->all = all;
    w->socket = socket;
    w->next = all->first;
    if (w->next) w->next->prev = w;
    all->first = w;
    return w;
}

int http_watch_socket(const struct http_watch *w)
{
    return w->socket;
}

void http_watch_busy(struct http_watch *w)
{
    w->busy = true;
}

/* The status does not matter: a socket that cannot be polled any more is lost, too. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct http_watch *w = poll->data;
    void (*left)(void *arg) = w->left;

    (void)status;
    (void)events;
    uv_poll_stop(poll); /* the condition lasts: it would be reported in every turn */
    w->gone = true;
    w->left = NULL;
    if (left) left(w->arg);
}

bool http_watch_set(struct http_watch *w, void (*left)(void *arg), void *arg)
{
    if (w->gone) return false;
    w->left = left;
    w->arg = arg;
    if (w->polling) return true;
    /* Without a watch the client's leaving is noticed when something is sent to it. */
    if (uv_poll_init(w->all->loop, &w->poll, w->socket) != 0) return true;
    w->polling = true;
    w->poll.data = w;
    uv_poll_start(&w->poll, UV_DISCONNECT, on_poll);
    return true;
}

void http_watch_clear(struct http_watch *w)
{
    w->left = NULL;
    w->busy = false;
}

void http_watch_hang_up(const struct http_watch *w)
{
    shutdown(w->socket, SHUT_RDWR);
}

void http_watch_sweep(const struct http_watches *all)
{
    for (const struct http_watch *w = all->first; w; w = w->next) {
        char next;
        /* An end without data before it: 0, where a silent client gives EAGAIN and one that talks a
         * byte. */
        if (!w->busy && recv(w->socket, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
            http_watch_hang_up(w);
    }
}

/* The loop holds on to the handle inside until here. */
static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void http_watch_free(struct http_watch *w)
{
    if (!w) return;
    if (w->prev)
        w->prev->next = w->next;
    else
        w->all->first = w->next;
    if (w->next) w->next->prev = w->prev;
    w->left = NULL;
    if (w->polling)
        uv_close((uv_handle_t *)&w->poll, on_closed);
    else
        free(w);
}
