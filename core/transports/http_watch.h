/* Notices the client of a connection leaving, while libmicrohttpd looks away.
 *
 * A suspended connection is in nobody's epoll set. A watch, one a connection, polls its socket for
 * UV_DISCONNECT. It is made when first needed, then stays armed until the client leaves or the
 * connection is closed, so that a connection that waits again costs no system call.
 *
 * A client that closes its sending side has left, too: that it still listens cannot be told apart
 * from a closed socket, and libmicrohttpd drops such a connection when it is resumed. */
#ifndef LUNASK_TRANSPORTS_HTTP_WATCH_H
#define LUNASK_TRANSPORTS_HTTP_WATCH_H

#include <stdbool.h>
#include <uv.h>

struct http_watch;

struct http_watch *http_watch_new(uv_loop_t *loop);

/* From now on, `left(arg)` is called, once, from the loop, when the client leaves. Returns false
 * if it has left already. */
bool http_watch_set(struct http_watch *w, int fd, void (*left)(void *arg), void *arg);

/* Nobody is to be told any more: the request is over. */
void http_watch_clear(struct http_watch *w);

/* To be called before the socket is closed. */
void http_watch_free(struct http_watch *w);

#endif
