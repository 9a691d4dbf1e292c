#include "schema/schema_explain.h"

#include "schema/schema_reason.h"
#include "schema/schema_run.h"

/* Alternatives inside alternatives are explained two deep, and four wide: enough to act on. */
enum { MOST_DRAFTS = 2, MOST_ALTERNATIVES = 4 };

/* Returns the member `keyword` of the schema that a node was compiled from, or NULL. */
static const struct json *keyword(const struct schema_node *node, const char *name)
{
    return json_get(schema_node_target(node)->cell, name);
}

/* Returns true if the alternatives are nothing but values, as the options of a form are. */
static bool is_choice(const struct schema_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!keyword(list->at[i], "const") && !keyword(list->at[i], "enum")) return false;
    return true;
}

static void add_choice(struct buf *out, struct schema_choice *choice,
                       const struct schema_node *node)
{
    const struct json *only = keyword(node, "const"), *values = keyword(node, "enum");
    if (only) schema_reason_choice(out, choice, only);
    for (const struct json *e = only ? NULL : json_first(values); e; e = json_next(values, e))
        schema_reason_choice(out, choice, e);
}

static void explain_choice(struct schema_run *run, const struct schema_list *list,
                           const struct json *v, const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return;
    struct schema_choice choice = {0};
    bool single = list->count == 1 && keyword(list->at[0], "const");
    buf_addz(out, single ? " must be " : " must be one of ");
    for (uint32_t i = 0; i < list->count; i++)
        add_choice(out, &choice, list->at[i]);
    schema_reason_choice_end(out, &choice);
    schema_reason_not(out, v);
}

/* Returns true if `v` has a member that the alternative wants to be another constant: the member
 * that tells alternatives apart says that this one wasn't meant. */
static bool contradicts(const struct schema_node *node, const struct json *v)
{
    const struct json *properties = keyword(node, "properties");
    for (const struct json *key = json_first(properties); key; key = json_next(properties, key)) {
        const struct json *wanted = json_get(json_value(key), "const");
        const struct json *value = json_get_bytes(v, key->text);
        if (wanted && value && !json_equal(wanted, value)) return true;
    }
    return false;
}

/* Returns the alternative that `v` was most likely meant to be, or NULL if several could be.
 * *types_r is what all of them together allow; 0 if one allows every type. */
static const struct schema_node *meant(const struct schema_list *list, const struct json *v,
                                       unsigned *types_r)
{
    const struct schema_node *only = NULL;
    unsigned actual = schema_node_types(v), all = 0, candidates = 0;
    bool any_type = false;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct schema_node *node = schema_node_target(list->at[i]);
        if (node->never) continue; /* `false` was never meant */
        any_type |= node->types == 0;
        all |= node->types;
        if (node->types && !(node->types & actual)) continue;
        if (contradicts(node, v)) continue;
        candidates++;
        only = list->at[i];
    }
    *types_r = any_type ? 0 : all;
    return candidates == 1 ? only : NULL;
}

static void explain_types(struct schema_run *run, unsigned types, const struct json *v,
                          const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return;
    buf_addz(out, " must be ");
    schema_reason_types(out, types);
    buf_addz(out, ", not ");
    schema_reason_type(out, v);
}

/* Writes the first reason why `v` isn't what `node` wants, as a draft of its own. */
static void draft(struct schema_run *run, struct buf *out, const struct schema_node *node,
                  const struct json *v, const struct schema_place *at)
{
    struct buf text = {0};
    /* All but the budget is put back after: steps are spent, and a broken run stays broken. */
    struct schema_run saved = *run;
    run->out = &text;
    run->start = 0;
    run->room = 1;
    run->drafts++;
    schema_run_node(run, node, v, at);
    run->out = saved.out;
    run->start = saved.start;
    run->room = saved.room;
    run->drafts = saved.drafts;
    buf_add(out, buf_bytes(&text));
    buf_free(&text);
}

/* Says what keeps the value from each alternative, for whoever knows which was meant. */
static void explain_each(struct schema_run *run, const struct schema_list *list,
                         const struct json *v, const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return;
    buf_addz(out, " must match one of ");
    schema_reason_count(out, list->count, "alternative");
    if (run->drafts == MOST_DRAFTS || list->count > MOST_ALTERNATIVES) return;
    for (uint32_t i = 0; i < list->count && !run->broken; i++) {
        buf_addz(out, i ? ", or " : ": ");
        draft(run, out, list->at[i], v, at);
    }
}

void schema_explain_none(struct schema_run *run, const struct schema_list *list,
                         const struct json *v, const struct schema_place *at)
{
    unsigned types;
    /* All below is work for the reason alone. */
    if (!run->out || run->broken) return;
    const struct schema_node *node = meant(list, v, &types);
    if (is_choice(list))
        explain_choice(run, list, v, at);
    else if (types && !(types & schema_node_types(v)))
        explain_types(run, types, v, at);
    else if (node)
        schema_run_node(run, node, v, at);
    else
        explain_each(run, list, v, at);
}

void schema_explain_several(struct schema_run *run, const struct schema_list *list,
                            const uint32_t which[2], const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return;
    buf_addz(out, " must match exactly one of ");
    schema_reason_count(out, list->count, "alternative");
    buf_printf(out, ", but matches number %u and number %u", (unsigned)which[0] + 1,
               (unsigned)which[1] + 1);
}

/* Writes what nothing but a `required` forbids together: the names. */
static void add_names(struct buf *out, const struct json *names)
{
    buf_addz(out, names->count == 1 ? " must not have " : " must not have all of ");
    struct schema_choice choice = {0};
    for (const struct json *e = json_first(names); e; e = json_next(names, e))
        schema_reason_choice(out, &choice, e);
    schema_reason_choice_end(out, &choice);
}

void schema_explain_not(struct schema_run *run, const struct schema_node *node,
                        const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return;
    const struct schema_node *target = schema_node_target(node);
    const struct json *required = keyword(node, "required");
    struct schema_choice choice = {0};
    if (target->count != 1) {
        buf_addz(out, target->count ? " must not match what its schema forbids with \"not\""
                                    : " is not allowed");
    } else if (keyword(node, "const") || keyword(node, "enum")) {
        buf_addz(out, " must not be ");
        add_choice(out, &choice, node);
        schema_reason_choice_end(out, &choice);
    } else if (target->types) {
        buf_addz(out, " must not be ");
        schema_reason_types(out, target->types);
    } else if (required) {
        add_names(out, required);
    } else {
        buf_addz(out, " must not match what its schema forbids with \"not\"");
    }
}
