#include "call/call.h"
#include "call/refusal.h"
#include "methods/method.h"
#include "script/registry.h"
#include "wire/json_write.h"

/* Returns what the prelude's resource.lua gets: { uri }. */
static const struct json *request_of(struct exchange *x, struct bytes uri)
{
    struct buf text = {0};
    struct json_error fault;
    buf_addz(&text, "{\"uri\":");
    json_write_string(&text, uri);
    buf_addc(&text, '}');
    const struct json *request =
        json_parse(&x->arena, arena_copy(&x->arena, buf_bytes(&text)), &JSON_LIMITS, &fault);
    buf_free(&text);
    return request;
}

/* 2026-07-28 server/resources, "Reading Resources" and "Error Handling". */
static void run(struct exchange *x)
{
    const struct json *uri = json_get(x->message.params, "uri");
    struct journal journal;
    if (!json_is(uri, JSON_STRING)) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.uri must be the URI of a resource");
        return;
    }
    const struct offer *resource = registry_find(x->service->generation, OFFER_RESOURCE, uri->text);
    if (!resource)
        refusal_no_resource(x, (struct bytes){NULL, 0});
    else if (x->era->open_journal(x, &journal) == 0)
        call_start(x, resource, RUN_HANDLER, request_of(x, uri->text), &journal);
}

const struct method method_resources_read = {.legacy = true, .modern = true, .run = run};
