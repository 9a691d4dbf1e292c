#include "eras/modern_reply.h"

#include "call/service.h"
#include "methods/capabilities.h"

#define SERVER_INFO "io.modelcontextprotocol/serverInfo"

/* What a script adds goes along, but it does not speak for the server. */
static void write_meta(struct exchange *x, struct bytes meta, struct buf *out)
{
    struct json_error fault;
    const struct json *added = meta.n ? json_parse(&x->arena, meta, &JSON_LIMITS, &fault) : NULL;
    buf_addz(out, "\"_meta\":{\"" SERVER_INFO "\":");
    capabilities_write_server(x->service->settings, out);
    for (const struct json *key = json_first(added); key; key = json_next(added, key)) {
        if (bytes_equal(key->text, BYTES(SERVER_INFO))) continue;
        buf_addc(out, ',');
        buf_add(out, key->raw);
        buf_addc(out, ':');
        buf_add(out, json_value(key)->raw);
    }
    buf_addc(out, '}');
}

void modern_reply_typed(struct exchange *x, const char *type, const struct result *result)
{
    struct buf text = {0};
    /* Straight into the reply: a list of tools is long, and needs no copy of its own. */
    rpc_open_result(&text, x->message.id);
    buf_addz(&text, "{\"resultType\":\"");
    buf_addz(&text, type);
    buf_addz(&text, "\",");
    if (result->cacheable) {
        buf_addz(&text, "\"ttlMs\":");
        buf_add_int(&text, result->ttl_ms);
        buf_addz(&text, result->is_private ? ",\"cacheScope\":\"private\","
                                           : ",\"cacheScope\":\"public\",");
    }
    buf_add(&text, result->fields);
    if (result->fields.n) buf_addc(&text, ',');
    write_meta(x, result->meta, &text);
    buf_addc(&text, '}');
    rpc_close_result(&text);
    exchange_send(x, 200, buf_bytes(&text));
    buf_free(&text);
}

void modern_reply_result(struct exchange *x, const struct result *result)
{
    modern_reply_typed(x, result->type ? result->type : "complete", result);
}
