#include "methods/offers.h"

#include "call/era.h"
#include "call/service.h"
#include "script/registry.h"

void offers_list(struct exchange *x, enum offer_kind kind, const char *member)
{
    const struct generation *g = x->service->generation;
    struct buf fields = {0};
    buf_printf(&fields, "\"%s\":[", member);
    for (size_t i = 0; i < registry_count(g, kind); i++) {
        if (i) buf_addc(&fields, ',');
        buf_add(&fields, registry_at(g, kind, i)->json);
    }
    buf_addc(&fields, ']');
    exchange_result(x, &(struct result){.fields = buf_bytes(&fields), .cacheable = true});
    buf_free(&fields);
}
