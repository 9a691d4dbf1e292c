#include "call/call.h"
#include "call/refusal.h"
#include "call/tasks.h"
#include "methods/method.h"
#include "schema/schema_range.h"
#include "script/registry.h"

/* What `arguments` are when they are left out. A tape of one cell. */
static const struct json NO_ARGUMENTS = {.type = JSON_OBJECT, .span = 1, .raw = BYTES_INIT("{}")};

static void refuse_arguments(struct exchange *x, const struct offer *tool, struct bytes reasons)
{
    struct buf text = {0};
    buf_printf(&text, "Invalid arguments for %.*s: %.*s", BYTES_ARG(tool->name),
               BYTES_ARG(reasons));
    refusal_result(x, buf_bytes(&text));
    buf_free(&text);
}

/* "If a server is unable to service a request … without returning CreateTaskResult" (SEP-2663,
 * "Capability Negotiation"). Returns -1 with the request refused. */
static int check_task(struct exchange *x, const struct offer *tool)
{
    if (tool->task != OFFER_TASK_REQUIRED) return 0;
    if (x->era->name == ERA_MODERN) return tasks_check_client(x);
    refusal_result(x, BYTES("This tool needs a client of MCP 2026-07-28 that supports the "
                            "extension " TASKS_EXTENSION "."));
    return -1;
}

/* A call that came back with a requestState goes on as what it began, and one of a tool that asks
 * first becomes a task later, if at all (escalation.h). */
static bool becomes_task(const struct exchange *x, const struct offer *tool)
{
    return tool->task != OFFER_TASK_FORBIDDEN && !tool->asks_first && x->era->name == ERA_MODERN &&
           client_extends(x->client, TASKS_EXTENSION) &&
           !json_get(x->message.params, "requestState");
}

/* Arguments are checked before the journal is opened: a retry with others would not open it anyway,
 * and this says what is wrong with them. */
static void call(struct exchange *x, const struct offer *tool, const struct json *arguments)
{
    struct buf reasons = {0};
    struct journal journal;
    if (!schema_valid(tool->input, arguments, "arguments", &reasons) ||
        !schema_range_valid(arguments, "arguments", &reasons))
        refuse_arguments(x, tool, buf_bytes(&reasons));
    else if (becomes_task(x, tool))
        tasks_create(x, tool, arguments->raw);
    else if (x->era->open_journal(x, &journal) == 0)
        call_start(x, tool, RUN_HANDLER, arguments, &journal);
    buf_free(&reasons);
}

/* 2026-07-28 server/tools, "Calling Tools" and "Error Handling". Arguments that do not fit are the
 * tool's error, for the model to mend; a tool that is not there is the protocol's. */
static void run(struct exchange *x)
{
    const struct json *name = json_get(x->message.params, "name");
    const struct json *arguments = json_get(x->message.params, "arguments");
    if (!json_is(name, JSON_STRING)) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.name must be the name of a tool");
        return;
    }
    if (arguments && arguments->type != JSON_OBJECT) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.arguments must be an object");
        return;
    }
    const struct offer *tool = registry_find(x->service->generation, OFFER_TOOL, name->text);
    if (tool && check_task(x, tool) != 0) return;
    if (!tool) {
        struct error reason;
        error_set(&reason, "Tool not found: %.*s", BYTES_ARG(name->text));
        exchange_error(x, RPC_INVALID_PARAMS, reason.text);
        return;
    }
    call(x, tool, arguments ? arguments : &NO_ARGUMENTS);
}

const struct method method_tools_call = {.legacy = true, .modern = true, .run = run};
