#include "call/call.h"
#include "call/refusal.h"
#include "methods/method.h"
#include "script/registry.h"
#include "wire/json_write.h"

/* Returns what the prelude's resource.lua gets: { uri, variables }. */
static const struct json *request_of(struct exchange *x, struct bytes uri, struct bytes variables)
{
    struct buf text = {0};
    struct json_error fault;
    buf_addz(&text, "{\"uri\":");
    json_write_string(&text, uri);
    buf_addz(&text, ",\"variables\":");
    buf_add(&text, variables.n ? variables : BYTES("{}"));
    buf_addc(&text, '}');
    const struct json *request =
        json_parse(&x->arena, arena_copy(&x->arena, buf_bytes(&text)), &JSON_LIMITS, &fault);
    buf_free(&text);
    return request;
}

/* A resource of this very URI comes before the templates. 2026-07-28 server/resources, "Reading
 * Resources" and "Error Handling". */
static void run(struct exchange *x)
{
    const struct json *uri = json_get(x->message.params, "uri");
    struct journal journal;
    if (!json_is(uri, JSON_STRING)) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.uri must be the URI of a resource");
        return;
    }
    struct buf variables = {0};
    const struct generation *g = x->service->generation;
    const struct offer *resource = registry_find(g, OFFER_RESOURCE, uri->text);
    if (!resource) resource = registry_match(g, uri->text, &variables);
    const struct json *request = request_of(x, uri->text, buf_bytes(&variables));
    buf_free(&variables);
    if (!resource)
        refusal_no_resource(x, (struct bytes){NULL, 0});
    else if (x->era->open_journal(x, &journal) == 0)
        call_start(x, resource, RUN_HANDLER, request, &journal);
}

const struct method method_resources_read = {.legacy = true, .modern = true, .run = run};
