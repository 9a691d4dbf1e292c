#include "script/offer.h"

#include "wire/uri_template.h"

#include <stdlib.h>

static const struct {
    const char *text, *key;
    enum offer_list list;
} KINDS[OFFER_KINDS] = {
    [OFFER_TOOL] = {"tool", "name", OFFER_LIST_TOOLS},
    [OFFER_PROMPT] = {"prompt", "name", OFFER_LIST_PROMPTS},
    [OFFER_RESOURCE] = {"resource", "uri", OFFER_LIST_RESOURCES},
    [OFFER_TEMPLATE] = {"resource template", "uriTemplate", OFFER_LIST_RESOURCES},
};

const char *offer_kind_text(enum offer_kind kind)
{
    return KINDS[kind].text;
}

const char *offer_kind_key(enum offer_kind kind)
{
    return KINDS[kind].key;
}

enum offer_list offer_kind_list(enum offer_kind kind)
{
    return KINDS[kind].list;
}

void offer_free_all(struct offer *first)
{
    while (first) {
        struct offer *next = first->next;
        schema_free(first->input);
        schema_free(first->output);
        uri_template_free(first->uris);
        arena_free(&first->arena);
        free(first);
        first = next;
    }
}
