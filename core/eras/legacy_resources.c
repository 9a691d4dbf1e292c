#include "eras/legacy_resources.h"

#include "methods/capabilities.h"

bool legacy_resources_handle(struct session *session, struct exchange *x)
{
    const struct rpc_message *m = &x->message;
    bool subscribes = bytes_equal(m->method, BYTES("resources/subscribe"));
    const struct json *uri = json_get(m->params, "uri");
    struct error reason;
    if (!subscribes && !bytes_equal(m->method, BYTES("resources/unsubscribe"))) return false;
    if (!(capabilities_lists(x->service) & OFFER_LIST_RESOURCES)) return false;
    if (!json_is(uri, JSON_STRING)) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.uri must be the URI of a resource");
        return true;
    }
    if (!subscribes) {
        uris_remove(&session->resources, uri->text);
    } else if (uris_add(&session->resources, uri->text, &reason) != 0) {
        exchange_error(x, RPC_INVALID_PARAMS, reason.text);
        return true;
    }
    exchange_result(x, &(struct result){0});
    return true;
}
