#include "call/service.h"
#include "methods/method.h"
#include "script/registry.h"

/* 2026-07-28 server/tools, "Listing Tools": all of them on one page, in the order of their names,
 * so that lists are equal as texts and a client's cached prompt stays good. A cursor is not looked
 * at: none was ever given out. */
static void run(struct exchange *x)
{
    const struct generation *g = x->service->generation;
    struct buf fields = {0};
    buf_addz(&fields, "\"tools\":[");
    for (size_t i = 0; i < registry_count(g); i++) {
        if (i) buf_addc(&fields, ',');
        buf_add(&fields, registry_at(g, i)->json);
    }
    buf_addc(&fields, ']');
    exchange_result(x, &(struct result){.fields = buf_bytes(&fields), .cacheable = true});
    buf_free(&fields);
}

const struct method method_tools_list = {.legacy = true, .modern = true, .run = run};
