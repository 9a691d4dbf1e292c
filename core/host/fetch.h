/* What ctx:fetch runs on: libcurl's multi interface, driven by the worker's loop.
 *
 * libcurl says which sockets it waits for and when it wants to be called; the loop watches both and
 * tells it, and a request that has come to its end is answered from there. How a request looks and
 * what it may do is in fetch_request.h. */
#ifndef LUNASK_HOST_FETCH_H
#define LUNASK_HOST_FETCH_H

#include "call/service.h"

#include <uv.h>

struct fetch;

/* Returns owned; free it with fetch_close, when no request is under way. */
struct fetch *fetch_new(uv_loop_t *loop);

/* Begins a request. Returns it, until order->done has been called or fetch_cancel; or NULL with
 * `error`, which is for the script's author. `done` is called from the loop, never from here. */
void *fetch_start(void *fetch, const struct service_fetch *order, struct error *error);

/* Ends a request; `done` is not called. */
void fetch_cancel(void *fetch, void *request);

/* Takes `f`; calls `closed(arg)` from the loop when all of it is gone. */
void fetch_close(struct fetch *f, void (*closed)(void *arg), void *arg);

#endif
