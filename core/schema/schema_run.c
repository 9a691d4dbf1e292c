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

bool schema_run_marks(const struct schema_run *run, const struct json *v)
{
    return run->marks && run->marks->of == v;
}

void schema_run_mark(struct schema_run *run, const struct json *v, const struct json *part)
{
    if (schema_run_marks(run, v)) schema_marks_add(run->marks, part);
}

typedef bool run_fn(struct schema_run *run, const struct schema_node *node, const struct json *v,
                    const struct schema_place *at);

/* Runs `fn` with a set of marks of its own, which counts outside only if it was valid. */
static bool run_apart(struct schema_run *run, run_fn *fn, const struct schema_node *node,
                      const struct json *v, const struct schema_place *at)
{
    if (!schema_run_step(run, schema_marks_cost(v), at)) return false;
    struct schema_marks marks = schema_marks_begin(v), *outer = run->marks;
    run->marks = &marks;
    bool valid = fn(run, node, v, at);
    run->marks = outer;
    if (valid && schema_run_marks(run, v)) schema_marks_merge(outer, &marks);
    schema_marks_end(&marks);
    return valid;
}

static bool run_inside(struct schema_run *run, const struct schema_node *node, const struct json *v,
                       const struct schema_place *at)
{
    struct schema_scope scope = {run->scope, node->resource};
    const struct schema_scope *outer = run->scope;
    if (!outer || outer->resource != node->resource) run->scope = &scope;
    run->depth++;
    bool valid = node->leaves & 1u << v->type ? run_apart(run, run_checks, node, v, at)
                                              : run_checks(run, node, v, at);
    run->depth--;
    run->scope = outer;
    return valid;
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
    return run_inside(run, node, v, at);
}

bool schema_run_quietly(struct schema_run *run, const struct schema_node *node,
                        const struct json *v, const struct schema_place *at)
{
    struct buf *out = run->out;
    run->out = NULL;
    bool valid = schema_run_marks(run, v) ? run_apart(run, schema_run_node, node, v, at)
                                          : schema_run_node(run, node, v, at);
    run->out = out;
    return valid;
}
