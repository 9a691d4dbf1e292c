#include "schema/schema_combine.h"

#include "schema/schema_explain.h"
#include "schema/schema_run.h"

bool schema_combine_ref(struct schema_run *run, const struct schema_check *check,
                        const struct json *v, const struct schema_place *at)
{
    return schema_run_node(run, check->of.node, v, at);
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
    for (uint32_t i = 0; i < check->of.list->count && !run->broken; i++)
        if (schema_run_quietly(run, check->of.list->at[i], v, at)) return true;
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
