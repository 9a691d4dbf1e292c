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
    struct buf body = {0};
    struct buf text = {0};
    buf_printf(&body, "{\"resultType\":\"%s\",", type);
    if (result->cacheable)
        buf_printf(&body, "\"ttlMs\":%lld,\"cacheScope\":\"public\",",
                   (long long)settings->list_ttl);
    buf_add(&body, result->fields);
    if (result->fields.n) buf_addc(&body, ',');
    write_meta(settings, result->meta, &body);
    buf_addc(&body, '}');
    rpc_write_result(&text, x->message.id, buf_bytes(&body));
    exchange_send(x, 200, buf_bytes(&text));
    buf_free(&body);
    buf_free(&text);
}

void modern_reply_result(struct exchange *x, const struct result *result)
{
    modern_reply_typed(x, "complete", result);
}
