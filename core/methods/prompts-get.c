#include "call/call.h"
#include "methods/method.h"
#include "script/registry.h"

/* What `arguments` are when they are left out. A tape of one cell. */
static const struct json NO_ARGUMENTS = {.type = JSON_OBJECT, .span = 1, .raw = BYTES_INIT("{}")};

static void refuse(struct exchange *x, const char *what, struct bytes why)
{
    struct buf text = {0};
    buf_printf(&text, "%s: %.*s", what, BYTES_ARG(why));
    exchange_error(x, RPC_INVALID_PARAMS, buf_text(&text));
    buf_free(&text);
}

static void get(struct exchange *x, const struct offer *prompt, const struct json *arguments)
{
    struct buf reasons = {0};
    struct journal journal;
    if (!schema_valid(prompt->input, arguments, "arguments", &reasons))
        refuse(x, "Invalid arguments", buf_bytes(&reasons));
    else if (x->era->open_journal(x, &journal) == 0)
        call_start(x, prompt, RUN_HANDLER, arguments, &journal);
    buf_free(&reasons);
}

/* 2026-07-28 server/prompts, "Getting a Prompt" and "Error Handling": there is no result that is an
 * error, so whatever is wrong is the protocol's. */
static void run(struct exchange *x)
{
    const struct json *name = json_get(x->message.params, "name");
    const struct json *arguments = json_get(x->message.params, "arguments");
    if (!json_is(name, JSON_STRING)) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.name must be the name of a prompt");
        return;
    }
    if (arguments && arguments->type != JSON_OBJECT) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.arguments must be an object");
        return;
    }
    const struct offer *prompt = registry_find(x->service->generation, OFFER_PROMPT, name->text);
    if (prompt)
        get(x, prompt, arguments ? arguments : &NO_ARGUMENTS);
    else
        refuse(x, "Prompt not found", name->text);
}

const struct method method_prompts_get = {.legacy = true, .modern = true, .run = run};
