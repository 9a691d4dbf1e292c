#include "eras/modern.h"

#include "eras/modern_call.h"
#include "eras/modern_headers.h"
#include "eras/modern_params.h"
#include "eras/modern_reply.h"
#include "eras/subscriptions.h"
#include "methods/capabilities.h"
#include "methods/method.h"

/* 2026-07-28 basic, "_meta": per-request protocol fields. */
#define META_VERSION      "io.modelcontextprotocol/protocolVersion"
#define META_CLIENT_INFO  "io.modelcontextprotocol/clientInfo"
#define META_LOG_LEVEL    "io.modelcontextprotocol/logLevel"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

/* A disconnect is how a modern client cancels (basic/patterns/cancellation, "Transport-Specific
 * Cancellation": MUST be treated so). */
static void gone(struct exchange *x)
{
    if (x->call) call_cancel(x->call);
    if (x->waiting) *x->waiting = NULL;
    x->waiting = NULL;
    subscriptions_gone(x);
}

/* Nothing is kept beside the call itself: no list to enter, no question to withdraw. */
static void nothing(struct call *c)
{
    (void)c;
}

/* The stream and the request are one: closing it would end the call. */
static bool close_stream(const struct call *c)
{
    (void)c;
    return false;
}

/* Nor has this version ids of elicitations. */
static void complete(struct call *c, const struct elicitation *e)
{
    (void)c;
    (void)e;
}

const struct era MODERN = {
    .name = ERA_MODERN,
    .text = "modern",
    .leaving_cancels = true,
    .result = modern_reply_result,
    .open_journal = modern_call_open,
    .started = nothing,
    .can_ask = modern_call_can_ask,
    .ask = modern_call_ask,
    .unsupported = modern_call_unsupported,
    .close_stream = close_stream,
    .complete = complete,
    .wait_ms = 20 * 1000, /* proxies mostly give a silent reply 60 s */
    .come_again = modern_call_come_again,
    .expired = nothing,
    .gone = gone,
    .ended = nothing,
};

/* Returns 0, or -1 with the request refused: its protocol version. */
static int check_version(struct exchange *x, const struct json *meta)
{
    const struct json *version = json_get(meta, META_VERSION);
    if (!json_is(version, JSON_STRING)) {
        exchange_error(x, RPC_INVALID_META,
                       "params._meta[\"" META_VERSION "\"] is missing or not a string");
        return -1;
    }
    if (modern_headers_check_version(x, version->text) != 0) return -1;
    if (bytes_equal(version->text, BYTES(CAPABILITIES_MODERN_VERSION))) return 0;
    struct buf data = {0};
    capabilities_write_unsupported(version->text, &data);
    exchange_error_data(x, RPC_VERSION_UNSUPPORTED, "Unsupported protocol version",
                        buf_bytes(&data));
    buf_free(&data);
    return -1;
}

/* server/utilities/logging, "Error Handling". */
static int read_log_level(struct exchange *x, const struct json *meta)
{
    const struct json *level = json_get(meta, META_LOG_LEVEL);
    if (!level || client_set_log_level(x->client, level) == 0) return 0;
    exchange_error(x, RPC_INVALID_META,
                   "params._meta[\"" META_LOG_LEVEL "\"] must be " CLIENT_LOG_LEVELS);
    return -1;
}

/* Capabilities must be there even if empty; clientInfo may be left out. Returns 0, or -1 with the
 * request refused. */
static int read_client(struct exchange *x, const struct json *meta)
{
    struct client *client = arena_zalloc(&x->arena, sizeof *client);
    client->info = json_get(meta, META_CLIENT_INFO);
    client->capabilities = json_get(meta, META_CAPABILITIES);
    client->version = BYTES(CAPABILITIES_MODERN_VERSION);
    x->client = client; /* for this request alone: the next one may say otherwise */
    if (!json_is(client->capabilities, JSON_OBJECT)) {
        exchange_error(x, RPC_INVALID_META,
                       "params._meta[\"" META_CAPABILITIES "\"] is missing or not an object");
        return -1;
    }
    if (client->info && (!json_is(client->info, JSON_OBJECT) ||
                         !json_is(json_get(client->info, "name"), JSON_STRING))) {
        exchange_error(x, RPC_INVALID_META,
                       "params._meta[\"" META_CLIENT_INFO "\"] must be an object with a name");
        return -1;
    }
    return read_log_level(x, meta);
}

/* Returns the request that a notifications/cancelled with these params means, or NULL: what is
 * unknown, over, or of the other era is nothing to cancel. */
static struct exchange *find_cancelled(struct exchange *x, const struct json *params)
{
    const struct json *id = json_get(params, "requestId");
    struct exchange *request = id && x->channel->find ? x->channel->find(x, id) : NULL;
    return request && request->era == &MODERN ? request : NULL;
}

static bool is_cancelled(struct bytes method)
{
    return bytes_equal(method, BYTES("notifications/cancelled"));
}

bool modern_is_cancellation(struct exchange *x, const struct json *root)
{
    return is_cancelled(json_string(json_get(root, "method"))) &&
           find_cancelled(x, json_get(root, "params"));
}

/* How a client cancels where its requests share a channel (transports/stdio, "Cancellation"). */
static void cancel(struct exchange *x)
{
    struct exchange *request = find_cancelled(x, x->message.params);
    if (request) {
        gone(request);
        exchange_drop(request);
    }
    exchange_reply(x, &(struct reply){.status = 202});
}

void modern_feed(struct exchange *x)
{
    x->era = &MODERN;
    const struct json *meta = json_get(x->message.params, "_meta");
    if (x->message.kind == RPC_NOTIFICATION && x->channel->find &&
        is_cancelled(x->message.method)) {
        cancel(x);
        return;
    }
    if (x->message.kind == RPC_RESPONSE) {
        x->message.id = (struct bytes){NULL, 0}; /* not one of the client's own */
        exchange_error(x, RPC_INVALID_REQUEST, "This protocol version has no posted responses");
        return;
    }
    /* Only requests must have the fields of _meta. */
    bool bare = x->message.kind == RPC_NOTIFICATION && !json_get(meta, META_VERSION);
    if (!bare && check_version(x, meta) != 0) return;
    /* No other is defined, and over HTTP no headers for one: accepted and dropped
     * (transports/streamable-http, "Sending Messages"). */
    if (x->message.kind == RPC_NOTIFICATION) {
        exchange_reply(x, &(struct reply){.status = 202});
        return;
    }
    if (read_client(x, meta) != 0 || modern_headers_check(x) != 0 || modern_params_check(x) != 0)
        return;
    if (bytes_equal(x->message.method, BYTES("subscriptions/listen")))
        subscriptions_listen(x);
    else
        method_dispatch(x);
}
