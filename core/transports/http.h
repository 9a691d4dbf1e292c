/* Streamable HTTP: libmicrohttpd in external-epoll mode under the worker's libuv loop.
 *
 * Serves POST, GET, DELETE and OPTIONS on /mcp and /api/mcp (2026-07-28 and 2025-11-25, "Streamable
 * HTTP"). The only file that knows libmicrohttpd.
 *
 * A suspended connection is invisible to libmicrohttpd: a uv_poll_t of ours on its socket watches
 * for the client leaving (UV_DISCONNECT) and tells the exchange. */
#ifndef LUNASK_TRANSPORTS_HTTP_H
#define LUNASK_TRANSPORTS_HTTP_H

#include "host/worker.h"

struct http;

/* Returns a listening, non-blocking socket, or -1 with an error that names address and reason
 * ("127.0.0.1:3000 is already in use; stop the other program or choose another --listen"). */
int http_listen(const char *host, int port, struct error *error);

/* Returns the port of a listening socket. */
int http_port(int socket);

/* Serves `socket`, which it takes, on the worker's loop. Returns owned, or NULL with `error`. */
struct http *http_new(uv_loop_t *loop, struct worker *worker, int socket, struct error *error);

/* Accepts no more connections; open ones go on, without keep-alive. */
void http_quiesce(struct http *h);

/* True when no request is being handled or waiting to be written. */
bool http_idle(const struct http *h);

/* Closes every connection and handle. The loop must run once more before it is closed. */
void http_free(struct http *h);

#endif
