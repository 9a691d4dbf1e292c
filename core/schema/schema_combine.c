#include "schema/schema_combine.h"

#include "schema/schema_document.h"
#include "schema/schema_explain.h"
#include "schema/schema_run.h"

bool schema_combine_ref(struct schema_run *run, const struct schema_check *check,
                        const struct json *v, const struct schema_place *at)
{
    return schema_run_node(run, check->of.node, v, at);
}

/* Returns the node of the dynamic anchor of that name in a resource, or NULL. */
static const struct schema_node *find_dynamic(const struct schema_resource *resource,
                                              struct bytes name)
{
    for (const struct schema_anchor *a = resource->anchors; a; a = a->next)
        if (a->dynamic && bytes_equal(a->name, name)) return a->node;
    return NULL;
}

/* The outermost on the way to here counts (2020-12 core, 8.2.3.2), and going back is paid for. */
bool schema_combine_dynamic_ref(struct schema_run *run, const struct schema_check *check,
                                const struct json *v, const struct schema_place *at)
{
    const struct schema_dynamic *dynamic = check->of.dynamic;
    const struct schema_node *target = dynamic->node;
    for (const struct schema_scope *s = dynamic->name.n ? run->scope : NULL; s; s = s->up) {
        const struct schema_node *node = find_dynamic(s->resource, dynamic->name);
        if (node) target = node;
        if (!schema_run_step(run, 1, at)) return false;
    }
    return schema_run_node(run, target, v, at);
}

bool schema_combine_all_of(struct schema_run *run, const struct schema_check *check,
                           const struct json *v, const struct schema_place *at)
{
    bool valid = true;
    for (uint32_t i = 0; i < check->of.list->count; i++) {
        if (schema_run_node(run, check->of.list->at[i], v, at)) continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}

bool schema_combine_any_of(struct schema_run *run, const struct schema_check *check,
                           const struct json *v, const struct schema_place *at)
{
    bool all = schema_run_marks(run, v), valid = false;
    for (uint32_t i = 0; i < check->of.list->count && !run->broken && (all || !valid); i++)
        valid |= schema_run_quietly(run, check->of.list->at[i], v, at);
    if (valid && !run->broken) return true;
    schema_explain_none(run, check->of.list, v, at);
    return false;
}

bool schema_combine_one_of(struct schema_run *run, const struct schema_check *check,
                           const struct json *v, const struct schema_place *at)
{
    const struct schema_list *list = check->of.list;
    uint32_t matches[2], n = 0;
    for (uint32_t i = 0; i < list->count && n < 2 && !run->broken; i++) /* two are too many */
        if (schema_run_quietly(run, list->at[i], v, at)) matches[n++] = i;
    if (n == 1 && !run->broken) return true;
    if (n == 0)
        schema_explain_none(run, list, v, at);
    else if (n == 2)
        schema_explain_several(run, list, matches, at);
    return false;
}

bool schema_combine_not(struct schema_run *run, const struct schema_check *check,
                        const struct json *v, const struct schema_place *at)
{
    /* Failing is what is wanted, unless it failed for want of budget. */
    if (!schema_run_quietly(run, check->of.node, v, at)) return !run->broken;
    schema_explain_not(run, check->of.node, at);
    return false;
}

bool schema_combine_if(struct schema_run *run, const struct schema_check *check,
                       const struct json *v, const struct schema_place *at)
{
    const struct schema_condition *condition = check->of.condition;
    bool holds = schema_run_quietly(run, condition->test, v, at);
    if (run->broken) return false;
    const struct schema_node *next = holds ? condition->then : condition->otherwise;
    return !next || schema_run_node(run, next, v, at);
}
