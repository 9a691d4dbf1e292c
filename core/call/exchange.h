/* One inbound message and where its reply goes.
 *
 * Words. **channel**: the transport's end of an exchange, reached through a vtable; it outlives the
 * exchange's owner on neither side: the transport makes and frees the exchange, and says
 * exchange_gone when the client is no longer there. **era**: how a reply is dressed (era.h).
 *
 * Legal order for the transport: exchange_init; then the host's feed (worker.h); then any number
 * of channel calls from the host until one reply, or open_stream, events and close_stream; then
 * exchange_free. exchange_gone may come at any time between and silences the rest.
 *
 *   init → feed ─┬─ reply ───────────────────────────────┬→ free
 *                ├─ open_stream → event … → close_stream ┤
 *                └─ gone, at any point of either ────────┘
 *
 * All of it on the thread of the worker's loop. The host calls the exchange_* functions below, not
 * the channel: they keep the order, and swallow what comes too late.
 *
 * To add a transport: a file in transports/ that fills in a struct channel_ops. */
#ifndef LUNASK_CALL_EXCHANGE_H
#define LUNASK_CALL_EXCHANGE_H

#include "base/arena.h"
#include "wire/rpc.h"

struct call;
struct client;
struct era;
struct exchange;
struct result;
struct service;

/* A whole reply. Views are borrowed for the call. */
struct reply {
    int status;              /* HTTP's; other transports look at the body only */
    struct bytes body;       /* JSON text, or empty */
    bool page;               /* it is HTML, for a browser (call/callbacks.h) */
    struct bytes session_id; /* legacy: sent as Mcp-Session-Id when not empty; of initialize */
    int retry_after_s;       /* sent as Retry-After when not 0 */
};

/* None of these may tell the host anything before it has returned: no exchange_gone, no feed. */
struct channel_ops {
    /* Returns the value of a request header, {NULL, 0} if it is missing, valid as long as the
     * exchange. A header that came twice is returned as the empty {"", 0}, which matches nothing.
     */
    struct bytes (*header)(struct exchange *x, const char *name);

    /* Sends the only reply and ends the exchange. */
    void (*reply)(struct exchange *x, const struct reply *reply);

    /* Turns the reply into an event stream (status 200). Returns -1, having sent nothing, if this
     * client did not accept one or the transport has none. */
    int (*open_stream)(struct exchange *x);

    /* Sends one JSON-RPC message on the opened stream. `id` is its event id, may be empty. An empty
     * message tells the client nothing but that id, and when to come back if it is cut off. */
    void (*event)(struct exchange *x, struct bytes id, struct bytes message);

    /* Ends the stream after what was sent, and with it the exchange. */
    void (*close_stream)(struct exchange *x);

    /* Returns the exchange of this channel whose request has the id `id` and is under way, or NULL.
     * The function is NULL where each request has a connection of its own, and is cancelled by its
     * end: HTTP. */
    struct exchange *(*find)(struct exchange *x, const struct json *id);

    /* Returns the socket whose hang-up means that the client of this exchange is gone; NULL where
     * there is none. For whoever keeps the loop from seeing that (script/limits.h). */
    int (*socket)(struct exchange *x);
};

/* HTTP's; what another transport receives is a POST. */
enum exchange_verb { EXCHANGE_POST, EXCHANGE_GET, EXCHANGE_DELETE, EXCHANGE_CALLBACK };

struct exchange {
    /* Set by the transport before feed. */
    const struct channel_ops *channel;
    bool has_headers; /* HTTP: headers are there to be checked; without, the body says it all */
    enum exchange_verb verb;
    struct bytes body;      /* whole; outlives the exchange's tape */
    struct bytes token;     /* of EXCHANGE_CALLBACK */
    struct bytes principal; /* empty when nobody authenticates */

    /* Set on the way. */
    struct arena arena; /* freed with the exchange */
    struct service *service;
    const struct era *era;
    struct client *client;
    struct rpc_message message;
    struct call *call; /* whose reply goes here; NULL when there is none */
    void *owner;       /* legacy: its session; modern: the subscription whose stream it is */
    struct exchange **waiting; /* set to NULL when the client is gone; NULL: nobody waits */
    bool streaming;            /* open_stream succeeded */
    bool ended;                /* replied, or the stream was closed */
};

void exchange_init(struct exchange *x, const struct channel_ops *channel);
void exchange_free(struct exchange *x);

/* Tells whoever holds `x` that the client is gone: nothing more can be sent. The call, if any, is
 * told through its era (modern: cancelled; legacy: goes on without it). */
void exchange_gone(struct exchange *x);

/* Replies. Each is a no-op on an exchange that has ended.
 *
 * The errors are JSON-RPC errors with the id of x->message, if one was read, and the HTTP status of
 * their code (rpc.h); RPC_BUSY asks the client to come again in a second. On a stream that is open
 * the status has gone out, so they are its last event. */
void exchange_reply(struct exchange *x, const struct reply *reply);
void exchange_error(struct exchange *x, enum rpc_code code, const char *message);
void exchange_error_data(struct exchange *x, enum rpc_code code, const char *message,
                         struct bytes data);
int exchange_open_stream(struct exchange *x);                  /* 0 if it is open already */
void exchange_event(struct exchange *x, struct bytes message); /* on an open stream */
void exchange_event_with_id(struct exchange *x, struct bytes id, struct bytes message);
void exchange_close_stream(struct exchange *x);

/* Ends an exchange that has nothing more to say, as its request was cancelled. */
void exchange_drop(struct exchange *x);

/* Returns the channel's socket, or -1. */
int exchange_socket(struct exchange *x);

/* Sends the result of the request in the manner of its era. */
void exchange_result(struct exchange *x, const struct result *result);

/* Sends a final message: as the last event of the stream if one is open, else as the reply. */
void exchange_send(struct exchange *x, int status, struct bytes message);

#endif
