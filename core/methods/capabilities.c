#include "methods/capabilities.h"

#include "call/tasks.h"
#include "script/registry.h"
#include "wire/json_write.h"

/* Newest first, as a client takes the first one it knows. */
static const char *const VERSIONS[] = {CAPABILITIES_MODERN_VERSION, CAPABILITIES_LEGACY_LATEST,
                                       "2025-06-18", "2025-03-26"};
enum { VERSION_COUNT = sizeof VERSIONS / sizeof VERSIONS[0] };

bool capabilities_legacy_version(struct bytes version)
{
    for (size_t i = 1; i < VERSION_COUNT; i++) /* the first is modern */
        if (bytes_equal(version, bytes_of(VERSIONS[i]))) return true;
    return false;
}

static void write_list(struct buf *out)
{
    for (size_t i = 0; i < VERSION_COUNT; i++) {
        buf_addc(out, i ? ',' : '[');
        json_write_string(out, bytes_of(VERSIONS[i]));
    }
    buf_addc(out, ']');
}

void capabilities_write_versions(struct buf *out)
{
    buf_addz(out, "\"supportedVersions\":");
    write_list(out);
}

void capabilities_write_unsupported(struct bytes requested, struct buf *out)
{
    buf_addz(out, "{\"supported\":");
    write_list(out);
    buf_addz(out, ",\"requested\":");
    json_write_string(out, requested);
    buf_addc(out, '}');
}

unsigned capabilities_lists(const struct service *s)
{
    const struct generation *g = s->generation;
    unsigned lists = OFFER_LIST_TOOLS;
    if (registry_count(g, OFFER_PROMPT)) lists |= OFFER_LIST_PROMPTS;
    if (registry_count(g, OFFER_RESOURCE) || registry_count(g, OFFER_TEMPLATE))
        lists |= OFFER_LIST_RESOURCES;
    return lists;
}

const char *capabilities_changed_method(enum offer_list list)
{
    if (list == OFFER_LIST_TOOLS) return "notifications/tools/list_changed";
    return list == OFFER_LIST_PROMPTS ? "notifications/prompts/list_changed"
                                      : "notifications/resources/list_changed";
}

void capabilities_write(const struct service *s, bool modern, struct buf *out)
{
    unsigned lists = capabilities_lists(s);
    buf_addz(out, "\"capabilities\":{\"logging\":{},\"tools\":{\"listChanged\":true}");
    if (lists & OFFER_LIST_PROMPTS) buf_addz(out, ",\"prompts\":{\"listChanged\":true}");
    if (lists & OFFER_LIST_RESOURCES)
        buf_addz(out, ",\"resources\":{\"subscribe\":true,\"listChanged\":true}");
    if (registry_completes(s->generation)) buf_addz(out, ",\"completions\":{}");
    if (modern) buf_addz(out, ",\"extensions\":{\"" TASKS_EXTENSION "\":{}}");
    buf_addc(out, '}');
    if (!s->settings->instructions) return;
    buf_addz(out, ",\"instructions\":");
    json_write_string(out, bytes_of(s->settings->instructions));
}

void capabilities_write_server(const struct settings *settings, struct buf *out)
{
    buf_addz(out, "{\"name\":");
    json_write_string(out, bytes_of(settings->name));
    buf_addz(out, ",\"version\":");
    json_write_string(out, bytes_of(settings->version));
    buf_addc(out, '}');
}
