#include "call/service.h"
#include "methods/capabilities.h"
#include "methods/method.h"

/* 2026-07-28 server/discover: a server MUST have it, clients need not call it. What initialize says
 * to a legacy client, without beginning anything. */
static void run(struct exchange *x)
{
    struct buf fields = {0};
    capabilities_write_versions(&fields);
    buf_addc(&fields, ',');
    capabilities_write(x->service, true, &fields);
    exchange_result(x, &(struct result){.fields = buf_bytes(&fields),
                                        .cacheable = true,
                                        .ttl_ms = x->service->settings->list_ttl});
    buf_free(&fields);
}

const struct method method_server_discover = {.modern = true, .run = run};
