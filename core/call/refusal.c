#include "call/refusal.h"

#include "call/era.h"
#include "wire/json_write.h"

void refusal_result(struct exchange *x, struct bytes text)
{
    struct buf fields = {0};
    buf_addz(&fields, "\"content\":[{\"type\":\"text\",\"text\":");
    json_write_string(&fields, text);
    buf_addz(&fields, "}],\"isError\":true");
    exchange_result(x, &(struct result){.fields = buf_bytes(&fields)});
    buf_free(&fields);
}

static void send_error(struct exchange *x, enum rpc_code code, struct bytes text)
{
    struct buf message = {0};
    buf_add(&message, text);
    exchange_error(x, code, buf_text(&message));
    buf_free(&message);
}

void refusal_failed(struct exchange *x, enum offer_kind kind, struct bytes text)
{
    if (kind == OFFER_TOOL)
        refusal_result(x, text);
    else
        send_error(x, RPC_HANDLER_FAILED, text);
}

void refusal_no_resource(struct exchange *x, struct bytes reason)
{
    enum rpc_code code = x->era->name == ERA_MODERN ? RPC_INVALID_PARAMS : RPC_RESOURCE_NOT_FOUND;
    struct buf message = {0}, data = {0};
    buf_addz(&message, "Resource not found");
    if (reason.n) buf_printf(&message, ": %.*s", BYTES_ARG(reason));
    buf_addz(&data, "{\"uri\":");
    json_write_string(&data, rpc_target(&x->message));
    buf_addc(&data, '}');
    exchange_error_data(x, code, buf_text(&message), buf_bytes(&data));
    buf_free(&message);
    buf_free(&data);
}

void refusal_refused(struct exchange *x, enum offer_kind kind, struct bytes reason)
{
    if (kind == OFFER_PROMPT)
        send_error(x, RPC_INVALID_PARAMS, reason.n ? reason : BYTES("The prompt was refused"));
    else
        refusal_no_resource(x, reason);
}
