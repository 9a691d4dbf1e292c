#include "transports/http_watch.h"

#include "base/mem.h"

#include <stdlib.h>

struct http_watch {
    uv_poll_t poll;
    uv_loop_t *loop;
    bool polling; /* `poll` is a handle of the loop */
    bool gone;
    void (*left)(void *arg);
    void *arg;
};

struct http_watch *http_watch_new(uv_loop_t *loop)
{
    struct http_watch *w = mem_alloc(sizeof *w);
    w->loop = loop;
    return w;
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

bool http_watch_set(struct http_watch *w, int fd, void (*left)(void *arg), void *arg)
{
    if (w->gone) return false;
    w->left = left;
    w->arg = arg;
    if (w->polling) return true;
    /* Without a watch the client's leaving is noticed when something is sent to it. */
    if (uv_poll_init(w->loop, &w->poll, fd) != 0) return true;
    w->polling = true;
    w->poll.data = w;
    uv_poll_start(&w->poll, UV_DISCONNECT, on_poll);
    return true;
}

void http_watch_clear(struct http_watch *w)
{
    w->left = NULL;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void http_watch_free(struct http_watch *w)
{
    if (!w) return;
    w->left = NULL;
    if (w->polling)
        uv_close((uv_handle_t *)&w->poll, on_closed);
    else
        free(w);
}
