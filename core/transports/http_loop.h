/* A libmicrohttpd daemon, in external-epoll mode, driven by a libuv loop.
 *
 * libmicrohttpd's epoll set tells when a socket is ready, and MHD_get_timeout when it wants to run
 * again. Neither tells that a connection was resumed: without a run soon after, a resumed
 * connection waits for somebody else's traffic, for ever if all wait (256 connections with replies
 * after 1 ms: 24,000 requests a second with kicks, 1,500 without). So whoever resumes one, or
 * ends one (which may free a place for a connection that was held back), kicks; the run follows
 * in the same turn of the loop, before it sleeps, and never inside a callback of libmicrohttpd.
 *
 *   a turn of libuv's loop:  timers → prepare → poll (sleeps) → check → closing
 *     prepare runs the daemon if a timer kicked it, check if a socket or finished work did */
#ifndef LUNASK_TRANSPORTS_HTTP_LOOP_H
#define LUNASK_TRANSPORTS_HTTP_LOOP_H

#include "base/error.h"

#include <stdbool.h>
#include <uv.h>

struct MHD_Connection;
struct MHD_Daemon;

struct http_loop {
    struct MHD_Daemon *daemon;
    uv_poll_t epoll;
    uv_timer_t timer;
    uv_prepare_t prepare; /* runs what timers kicked */
    uv_check_t check;     /* runs what sockets and finished work kicked */
    bool kicked;          /* a run is due */
    bool running;         /* libmicrohttpd is on the stack: for asserting that it isn't twice */
    unsigned handles;     /* not yet closed */
    void (*closed)(void *arg);
    void *arg;
};

/* Starts to drive `daemon`, which it borrows. Returns 0, or -1 with `error` and nothing started. */
int http_loop_start(struct http_loop *l, uv_loop_t *loop, struct MHD_Daemon *daemon,
                    struct error *error);

/* Has the daemon run before the loop sleeps. Cheap, and legal anywhere, also in a callback of
 * libmicrohttpd's: the run that it is part of then looks again. */
void http_loop_kick(struct http_loop *l);

/* Resumes a suspended connection, and kicks. */
void http_loop_resume(struct http_loop *l, struct MHD_Connection *connection);

/* Stops driving, at once; the daemon may be stopped after. Calls `closed(arg)` from the loop when
 * the memory of `l` may go. */
void http_loop_stop(struct http_loop *l, void (*closed)(void *arg), void *arg);

#endif
