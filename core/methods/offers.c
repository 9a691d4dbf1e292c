#include "methods/offers.h"

#include "call/era.h"
#include "call/service.h"
#include "methods/cursor.h"
#include "script/registry.h"

/* Returns 0 with the first place of the page, or -1 with the request refused. */
static int find_start(struct exchange *x, enum offer_kind kind, size_t *start_r)
{
    const struct json *cursor = json_get(x->message.params, "cursor");
    struct buf key = {0};
    *start_r = 0;
    if (!cursor) return 0;
    if (!json_is(cursor, JSON_STRING) || cursor_read(cursor->text, kind, &key) != 0) {
        exchange_error(x, RPC_INVALID_PARAMS,
                       "params.cursor is not one of this list: begin again without it");
        return -1;
    }
    *start_r = registry_after(x->service->generation, kind, buf_bytes(&key));
    buf_free(&key);
    return 0;
}

/* A key too long for a cursor is on the page of the one before. */
static size_t find_end(const struct generation *g, enum offer_kind kind, size_t end)
{
    while (end < registry_count(g, kind) && registry_at(g, kind, end - 1)->key.n > CURSOR_KEY_BYTES)
        end++;
    return end;
}

void offers_list(struct exchange *x, enum offer_kind kind, const char *member)
{
    const struct generation *g = x->service->generation;
    const struct settings *settings = x->service->settings;
    struct buf fields = {0};
    size_t start, count = registry_count(g, kind);
    if (find_start(x, kind, &start) != 0) return;
    size_t end = count - start > (size_t)settings->page_size
                     ? find_end(g, kind, start + (size_t)settings->page_size)
                     : count;
    buf_printf(&fields, "\"%s\":[", member);
    for (size_t i = start; i < end; i++) {
        const struct offer *o = registry_at(g, kind, i);
        if (i > start) buf_addc(&fields, ',');
        buf_add(&fields, x->era->name == ERA_LEGACY && o->legacy_json.n ? o->legacy_json : o->json);
    }
    buf_addc(&fields, ']');
    if (end < count) {
        buf_addz(&fields, ",\"nextCursor\":\"");
        cursor_write(kind, registry_at(g, kind, end - 1)->key, &fields);
        buf_addc(&fields, '"');
    }
    exchange_result(x, &(struct result){.fields = buf_bytes(&fields),
                                        .cacheable = true,
                                        .ttl_ms = settings->list_ttl});
    buf_free(&fields);
}
