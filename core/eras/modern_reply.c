#include "eras/modern_reply.h"

#include "call/service.h"
#include "methods/capabilities.h"

static void write_meta(const struct settings *settings, struct bytes meta, struct buf *out)
{
    buf_addz(out, "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
    capabilities_write_server(settings, out);
    if (meta.n > 2) {
        buf_addc(out, ',');
        buf_add(out, (struct bytes){meta.p + 1, meta.n - 2});
    }
    buf_addc(out, '}');
}

void modern_reply_typed(struct exchange *x, const char *type, const struct result *result)
{
    const struct settings *settings = x->service->settings;
    struct buf text = {0};
    rpc_open_result(&text, x->message.id);
    buf_addz(&text, "{\"resultType\":\"");
    buf_addz(&text, type);
    buf_addz(&text, "\",");
    if (result->cacheable) {
        buf_addz(&text, "\"ttlMs\":");
        buf_add_int(&text, settings->list_ttl);
        buf_addz(&text, ",\"cacheScope\":\"public\",");
    }
    buf_add(&text, result->fields);
    if (result->fields.n) buf_addc(&text, ',');
    write_meta(settings, result->meta, &text);
    buf_addc(&text, '}');
    rpc_close_result(&text);
    exchange_send(x, 200, buf_bytes(&text));
    buf_free(&text);
}

void modern_reply_result(struct exchange *x, const struct result *result)
{
    modern_reply_typed(x, "complete", result);
}
