#include "eras/legacy_message.h"

#include "eras/legacy_call.h"
#include "eras/legacy_resources.h"
#include "methods/capabilities.h"
#include "methods/method.h"
#include "wire/json_write.h"

bool legacy_message_version_known(struct bytes version)
{
    return capabilities_legacy_version(version);
}

static int read(struct exchange *x, const struct json *root)
{
    enum rpc_code code;
    const char *reason;
    if (rpc_read(root, &x->message, &code, &reason) == 0) return 0;
    exchange_error(x, code, reason);
    return -1;
}

static void send_initialize_result(struct exchange *x, struct bytes version,
                                   const struct session *session)
{
    struct buf result = {0};
    struct buf text = {0};
    buf_addz(&result, "{\"protocolVersion\":");
    json_write_string(&result, version);
    buf_addz(&result, ",\"serverInfo\":");
    capabilities_write_server(x->service->settings, &result);
    buf_addc(&result, ',');
    capabilities_write(x->service, false, &result);
    buf_addc(&result, '}');
    rpc_write_result(&text, x->message.id, buf_bytes(&result));
    exchange_reply(x, &(struct reply){.status = 200,
                                      .body = buf_bytes(&text),
                                      .session_id = bytes_of(session->id)});
    buf_free(&result);
    buf_free(&text);
}

void legacy_message_initialize(struct exchange *x, const struct json *root,
                               struct sessions *sessions)
{
    if (read(x, root) != 0) return;
    const struct json *wanted = json_get(x->message.params, "protocolVersion");
    const struct json *capabilities = json_get(x->message.params, "capabilities");
    if (x->message.kind != RPC_REQUEST) {
        exchange_error(x, RPC_INVALID_REQUEST, "initialize must be a request");
        return;
    }
    if (!json_is(wanted, JSON_STRING) || !json_is(capabilities, JSON_OBJECT)) {
        exchange_error(x, RPC_INVALID_PARAMS,
                       "initialize needs params.protocolVersion and params.capabilities");
        return;
    }
    if (x->service->stopping) {
        exchange_error(x, RPC_BUSY, "The server is shutting down");
        return;
    }
    if ((int64_t)sessions_count(sessions) >= x->service->settings->sessions) {
        exchange_error(x, RPC_BUSY, "Too many sessions are open (sessions); try again later");
        return;
    }
    /* 2025-11-25 basic/lifecycle, "Version Negotiation": a client that can't speak what it gets
     * disconnects. */
    struct bytes version = capabilities_legacy_version(wanted->text)
                               ? wanted->text
                               : BYTES(CAPABILITIES_LEGACY_LATEST);
    struct session *session = sessions_add(sessions, x->principal, version,
                                           json_get(x->message.params, "clientInfo"), capabilities);
    session->replay.limit = (size_t)x->service->settings->replay_limit;
    session->lists = capabilities_lists(x->service);
    send_initialize_result(x, version, session);
}

/* Without an id, or with one of nothing, it is ignored (2025-11-25 basic/utilities/cancellation,
 * "Error Handling"). */
static void cancelled(struct session *session, const struct json *params)
{
    const struct json *id = json_get(params, "requestId");
    if (id) legacy_call_cancel(session, id, json_string(json_get(params, "reason")));
}

/* An id that comes again would name two calls to who cancels one (2025-11-25 basic, "Requests": it
 * must not have been used before in the session; we know those of the calls that are open). */
static void request(struct exchange *x, struct session *session)
{
    if (bytes_equal(x->message.method, BYTES("initialize"))) /* alone it would not be here */
        exchange_error(x, RPC_INVALID_REQUEST, "initialize must not be part of a batch");
    else if (legacy_call_uses(session, x->message.id))
        exchange_error(x, RPC_INVALID_REQUEST,
                       "The id of this request is that of a call which is still open in this "
                       "session: use another one");
    else if (!legacy_resources_handle(session, x))
        method_dispatch(x);
}

void legacy_message_post(struct exchange *x, const struct json *root)
{
    struct session *session = x->owner;
    if (read(x, root) != 0) return;
    switch (x->message.kind) {
    case RPC_REQUEST:
        request(x, session);
        return;
    case RPC_NOTIFICATION:
        if (bytes_equal(x->message.method, BYTES("notifications/cancelled")))
            cancelled(session, x->message.params);
        break;
    case RPC_RESPONSE:
        legacy_call_answered(session, &x->message);
        break;
    }
    exchange_reply(x, &(struct reply){.status = 202});
}
