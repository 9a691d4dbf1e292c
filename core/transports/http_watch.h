/* Notices the client of a connection leaving, while libmicrohttpd looks away.
 *
 * A suspended connection is in nobody's epoll set. A watch, one a connection, polls its socket for
 * UV_DISCONNECT. It begins to when it is first needed, then stays armed until the client leaves or
 * the connection is closed, so that a connection that waits again costs no system call.
 *
 * A client that closes its sending side has left, too: that it still listens cannot be told apart
 * from a closed socket, and libmicrohttpd drops such a connection when it is resumed.
 *
 * libmicrohttpd looks away once more: after a read that came short it waits for the next edge, and
 * there is none if the end had come with the data. Such a connection would stay until it times
 * out; http_watch_sweep finds them. */
#ifndef LUNASK_TRANSPORTS_HTTP_WATCH_H
#define LUNASK_TRANSPORTS_HTTP_WATCH_H

#include <stdbool.h>
#include <uv.h>

struct http_watch;

/* The watches of one daemon. */
struct http_watches {
    uv_loop_t *loop;
    struct http_watch *first;
};

/* Returns owned; polls nothing yet. `socket` is borrowed. */
struct http_watch *http_watch_new(struct http_watches *all, int socket);

int http_watch_socket(const struct http_watch *w);

/* A request is being answered: the connection is no business of the sweep's until
 * http_watch_clear. */
void http_watch_busy(struct http_watch *w);

/* From now on, `left(arg)` is called, once, from the loop, when the client leaves. Returns false
 * if it has left already. */
bool http_watch_set(struct http_watch *w, void (*left)(void *arg), void *arg);

/* The request is over: nobody is to be told any more. */
void http_watch_clear(struct http_watch *w);

/* Hangs up: libmicrohttpd and the watch see the socket closed from the other side. The descriptor
 * stays libmicrohttpd's to close. */
void http_watch_hang_up(const struct http_watch *w);

/* Hangs up on every client that waits for no answer and will send nothing more. */
void http_watch_sweep(const struct http_watches *all);

/* To be called before the socket is closed: epoll forgets a descriptor that closes, and a new
 * connection may get its number. NULL is fine. */
void http_watch_free(struct http_watch *w);

#endif
