/* Streamable HTTP: libmicrohttpd in external-epoll mode under the worker's libuv loop.
 *
 * Serves POST, GET, DELETE and OPTIONS on /mcp and /api/mcp (2026-07-28 and 2025-11-25, "Streamable
 * HTTP").
 *
 * Words. **site**: what the requests of one daemon share. **visit**: what a request brings before
 * its body, and whether that is let in. **watch**: notices the client leaving while libmicrohttpd
 * looks away. **kick**: have libmicrohttpd run before the loop sleeps.
 *
 * A request on its way: http.c (libmicrohttpd's callbacks) → http_visit.c (headers, refusals) →
 * http_request.c (body, worker_feed, the channel) → http_reply.c or http_stream.c; all of it turned
 * by http_loop.c. Only these files know libmicrohttpd.
 *
 *   connection   a watch, from its start to its closing (http_watch.h)
 *     request    struct http_request, the exchange and its channel; one after the other
 *
 * Everything runs on the thread of the loop. Legal order: new; quiesce once the host is to stop;
 * free when http_idle says so, or when waiting for that has taken too long. */
#ifndef LUNASK_TRANSPORTS_HTTP_H
#define LUNASK_TRANSPORTS_HTTP_H

#include "host/worker.h"
#include "transports/http_listen.h"

struct http;

/* Returns the port of a listening socket. */
int http_port(int socket);

/* Serves `socket`, which it takes (also when it fails), on the worker's loop. Returns owned, or
 * NULL with `error`. */
struct http *http_new(uv_loop_t *loop, struct worker *worker, int socket, struct error *error);

/* Accepts no more connections; open ones go on, without keep-alive: each reply that begins from now
 * on closes its own. */
void http_quiesce(struct http *h);

/* True when no request is being handled or waiting to be written. */
bool http_idle(const struct http *h);

/* Closes every connection and handle. The loop must run once more before it is closed. */
void http_free(struct http *h);

#endif
