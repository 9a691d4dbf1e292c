#include "eras/modern_params.h"

#include "call/service.h"
#include "script/param_headers.h"
#include "script/registry.h"
#include "wire/headers.h"

static int refuse(struct exchange *x, const struct param_header *h, const char *problem)
{
    struct buf text = {0};
    buf_printf(&text, "Header mismatch: %.*s %s", BYTES_ARG(h->name), problem);
    exchange_error(x, RPC_HEADER_MISMATCH, buf_text(&text));
    buf_free(&text);
    return -1;
}

static bool same_number(struct bytes text, const struct json *number)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *header = json_parse(&arena, text, &JSON_LIMITS, &fault);
    bool same =
        json_is(header, JSON_NUMBER) && header->raw.n == text.n && json_equal(header, number);
    arena_free(&arena);
    return same;
}

static bool says(struct bytes text, const struct json *value)
{
    if (json_is(value, JSON_STRING)) return bytes_equal(text, value->text);
    if (json_is(value, JSON_NUMBER)) return same_number(text, value);
    return bytes_equal(text, json_true(value) ? BYTES("true") : BYTES("false"));
}

static int check(struct exchange *x, const struct param_header *h, const struct json *arguments)
{
    const struct json *value = param_headers_value(h, arguments);
    struct bytes header = x->channel->header(x, h->name.p);
    struct buf text = {0};
    int result = 0;
    if (!value) return header.p ? refuse(x, h, "is there, but its argument is not") : 0;
    if (json_is(value, JSON_OBJECT) || json_is(value, JSON_ARRAY)) return 0;
    if (!header.p)
        result = refuse(x, h, "is missing, but its argument is there; tools/list has the headers");
    else if (headers_decode_value(header, &text) != 0)
        result = refuse(x, h, "is neither plain ASCII nor =?base64?…?= of UTF-8");
    else if (!says(buf_bytes(&text), value))
        result = refuse(x, h, "does not match the argument in the body");
    buf_free(&text);
    return result;
}

int modern_params_check(struct exchange *x)
{
    const struct json *params = x->message.params;
    if (!x->has_headers || !bytes_equal(x->message.method, BYTES("tools/call"))) return 0;
    const struct offer *tool =
        registry_find(x->service->generation, OFFER_TOOL, rpc_target(&x->message));
    for (const struct param_header *h = tool ? tool->headers : NULL; h; h = h->next)
        if (check(x, h, json_get(params, "arguments")) != 0) return -1;
    return 0;
}
