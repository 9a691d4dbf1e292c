#include "schema/schema_run.h"

#include "schema/schema_reason.h"

struct schema_run schema_run_begin(const char *name, struct buf *reasons)
{
    return (struct schema_run){.all = reasons,
                               .out = reasons,
                               .name = name,
                               .begun = reasons ? reasons->n : 0,
                               .start = reasons ? reasons->n : 0,
                               .room = SCHEMA_RUN_REASONS,
                               .steps = SCHEMA_RUN_STEPS};
}

bool schema_run_break(struct schema_run *run, const struct schema_place *at, const char *why)
{
    if (run->broken) return false; /* once: what follows from it is no news */
    run->broken = true;
    if (!run->all) return false;
    if (run->all->n > run->begun) buf_addz(run->all, "; ");
    schema_reason_path(run->all, run->name, at);
    buf_addc(run->all, ' ');
    buf_addz(run->all, why);
    return false;
}

bool schema_run_step(struct schema_run *run, size_t n, const struct schema_place *at)
{
    if (run->steps >= n) {
        run->steps -= (unsigned)n;
        return true;
    }
    run->steps = 0;
    return schema_run_break(run, at, "takes too many steps to check; send a smaller value");
}

struct buf *schema_run_reason(struct schema_run *run, const struct schema_place *at)
{
    if (!run->out || run->broken || run->room == 0) return NULL;
    run->room--;
    if (run->out->n > run->start) buf_addz(run->out, "; ");
    schema_reason_path(run->out, run->name, at);
    return run->out;
}

bool schema_run_done(const struct schema_run *run)
{
    return run->broken || !run->out || run->room == 0;
}

static bool run_checks(struct schema_run *run, const struct schema_node *node, const struct json *v,
                       const struct schema_place *at)
{
    bool valid = true;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct schema_check *check = &node->checks[i];
        if (check->run(run, check, v, at)) continue;
        valid = false;
        /* "must be a string" says all there is to say of a number that is also no e-mail address.
         */
        if (check->decisive || schema_run_done(run)) break;
    }
    return valid && !run->broken;
}

bool schema_run_node(struct schema_run *run, const struct schema_node *node, const struct json *v,
                     const struct schema_place *at)
{
    if (run->broken || !schema_run_step(run, 1, at)) return false;
    if (node->never) {
        struct buf *out = schema_run_reason(run, at);
        if (out) buf_addz(out, " is not allowed");
        return false;
    }
    /* A value is 64 deep at most, so this is eight nodes on each level of it. More likely the
     * schema goes round on one and the same value. */
    if (run->depth == SCHEMA_RUN_DEPTH)
        return schema_run_break(run, at,
                                "can't be checked: the schema refers to itself too deeply");
    run->depth++;
    bool valid = run_checks(run, node, v, at);
    run->depth--;
    return valid;
}

bool schema_run_quietly(struct schema_run *run, const struct schema_node *node,
                        const struct json *v, const struct schema_place *at)
{
    struct buf *out = run->out;
    run->out = NULL;
    bool valid = schema_run_node(run, node, v, at);
    run->out = out;
    return valid;
}
