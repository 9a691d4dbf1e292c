#include "base/clock.h"
#include "call/call.h"
#include "methods/method.h"
#include "script/registry.h"

/* Returns what is wrong with the part of params that every reference has, or NULL. */
static const char *problem_of(const struct json *params)
{
    const struct json *argument = json_get(params, "argument");
    const struct json *context = json_get(params, "context");
    const struct json *known = json_get(context, "arguments");
    if (!json_is(json_get(params, "ref"), JSON_OBJECT)) return "params.ref must be a reference";
    if (!json_is(json_get(argument, "name"), JSON_STRING) ||
        !json_is(json_get(argument, "value"), JSON_STRING))
        return "params.argument must have a name and a value, both strings";
    if ((context && !json_is(context, JSON_OBJECT)) || (known && !json_is(known, JSON_OBJECT)))
        return "params.context.arguments must be an object";
    for (const struct json *key = json_first(known); key; key = json_next(known, key))
        if (!json_is(json_value(key), JSON_STRING))
            return "the values in params.context.arguments must be strings";
    return NULL;
}

/* A reference to a resource may be a template's text, or a URI that one gives; a resource without
 * variables has nothing to complete, and so is looked for last. */
static const struct offer *find(const struct generation *g, const struct json *ref)
{
    struct buf variables = {0};
    struct bytes type = json_string(json_get(ref, "type"));
    struct bytes name = json_string(json_get(ref, "name"));
    struct bytes uri = json_string(json_get(ref, "uri"));
    const struct offer *found = NULL;
    if (bytes_equal(type, BYTES("ref/prompt"))) return registry_find(g, OFFER_PROMPT, name);
    if (!bytes_equal(type, BYTES("ref/resource"))) return NULL;
    found = registry_find(g, OFFER_TEMPLATE, uri);
    if (!found) found = registry_match(g, uri, &variables);
    if (!found) found = registry_find(g, OFFER_RESOURCE, uri);
    buf_free(&variables);
    return found;
}

/* 2026-07-28 server/utilities/completion. A completion can't ask: its journal is always fresh. */
static void run(struct exchange *x)
{
    const struct json *params = x->message.params;
    const char *problem = problem_of(params);
    struct journal journal;
    if (problem) {
        exchange_error(x, RPC_INVALID_PARAMS, problem);
        return;
    }
    const struct offer *offer = find(x->service->generation, json_get(params, "ref"));
    if (!offer) {
        exchange_error(x, RPC_INVALID_PARAMS,
                       "params.ref is neither a prompt (ref/prompt with its name) nor a resource "
                       "(ref/resource with its uri or template) of this server");
        return;
    }
    journal_start(&journal, &x->service->entropy, clock_wall_ms());
    call_start(x, offer, RUN_COMPLETE, params, &journal);
}

const struct method method_completion_complete = {.legacy = true, .modern = true, .run = run};
