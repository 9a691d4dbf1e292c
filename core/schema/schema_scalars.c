#include "schema/schema_scalars.h"

#include "schema/schema_number.h"
#include "schema/schema_pattern.h"
#include "schema/schema_reason.h"
#include "schema/schema_run.h"
#include "wire/utf8.h"

enum { LONGEST_PATTERN_SHOWN = 120 }; /* bytes; a longer one explains nothing */

bool schema_scalars_type(struct schema_run *run, const struct schema_check *check,
                         const struct json *v, const struct schema_place *at)
{
    if (schema_node_types(v) & check->of.types) return true;
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_addz(out, " must be ");
    schema_reason_types(out, check->of.types);
    /* "must be an integer, not a number" would leave open what is wrong with 1.5. */
    if (v->type == JSON_NUMBER && check->of.types & SCHEMA_TYPE_INTEGER) {
        schema_reason_not(out, v);
        return false;
    }
    buf_addz(out, ", not ");
    schema_reason_types(out, schema_node_types(v));
    return false;
}

bool schema_scalars_enum(struct schema_run *run, const struct schema_check *check,
                         const struct json *v, const struct schema_place *at)
{
    for (const struct json *e = json_first(check->value); e; e = json_next(check->value, e))
        if (e->type == v->type && json_equal(e, v)) return true;
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    struct schema_choice choice = {0};
    buf_addz(out, check->value->count == 1 ? " must be " : " must be one of ");
    for (const struct json *e = json_first(check->value); e; e = json_next(check->value, e))
        schema_reason_choice(out, &choice, e);
    schema_reason_choice_end(out, &choice);
    schema_reason_not(out, v);
    return false;
}

bool schema_scalars_const(struct schema_run *run, const struct schema_check *check,
                          const struct json *v, const struct schema_place *at)
{
    if (json_equal(check->value, v)) return true;
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    struct schema_choice choice = {0};
    buf_addz(out, " must be ");
    schema_reason_choice(out, &choice, check->value);
    schema_reason_not(out, v);
    return false;
}

/* Counting code points only where bytes leave it open: there are n/4 to n of them in n bytes. */
static bool length_within(struct bytes text, uint64_t least, uint64_t most)
{
    if (text.n <= most && text.n / 4 >= least) return true; /* no count could be outside */
    if (text.n < least || text.n / 4 > most) return false;
    size_t length = utf8_length(text);
    return length >= least && length <= most;
}

static bool fail_length(struct schema_run *run, const struct schema_check *check, const char *bound,
                        const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_addz(out, bound);
    schema_reason_count(out, check->of.limit, "character");
    buf_addz(out, " long");
    return false;
}

bool schema_scalars_min_length(struct schema_run *run, const struct schema_check *check,
                               const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_STRING || length_within(v->text, check->of.limit, UINT64_MAX)) return true;
    return fail_length(run, check, " must be at least ", at);
}

bool schema_scalars_max_length(struct schema_run *run, const struct schema_check *check,
                               const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_STRING || length_within(v->text, 0, check->of.limit)) return true;
    return fail_length(run, check, " must be at most ", at);
}

bool schema_scalars_pattern(struct schema_run *run, const struct schema_check *check,
                            const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_STRING) return true;
    unsigned steps;
    enum schema_match match = schema_pattern_match(check->of.pattern, v->text, &steps);
    if (match == SCHEMA_MATCH_LIMIT)
        return schema_run_break(run, at, "takes too long to match against its pattern");
    if (!schema_run_step(run, steps, at)) return false;
    if (match == SCHEMA_MATCH_YES) return true;
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    struct bytes pattern = schema_pattern_text(check->of.pattern);
    if (pattern.n <= LONGEST_PATTERN_SHOWN)
        buf_printf(out, " must match the pattern %.*s", BYTES_ARG(pattern));
    else
        buf_addz(out, " must match the pattern of its schema");
    schema_reason_not(out, v);
    return false;
}

bool schema_scalars_format(struct schema_run *run, const struct schema_check *check,
                           const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_STRING || check->of.format->valid(v->text)) return true;
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_addz(out, " must be ");
    buf_addz(out, check->of.format->wanted);
    schema_reason_not(out, v);
    return false;
}

/* The bound is shown as its author wrote it: 1e3 stays 1e3. */
static bool fail_number(struct schema_run *run, const struct schema_check *check, const char *bound,
                        const struct json *v, const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_addz(out, bound);
    buf_add(out, check->value->text);
    schema_reason_not(out, v);
    return false;
}

bool schema_scalars_minimum(struct schema_run *run, const struct schema_check *check,
                            const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_NUMBER || schema_number_compare(v, check->value) >= 0) return true;
    return fail_number(run, check, " must be at least ", v, at);
}

bool schema_scalars_maximum(struct schema_run *run, const struct schema_check *check,
                            const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_NUMBER || schema_number_compare(v, check->value) <= 0) return true;
    return fail_number(run, check, " must be at most ", v, at);
}

bool schema_scalars_exclusive_minimum(struct schema_run *run, const struct schema_check *check,
                                      const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_NUMBER || schema_number_compare(v, check->value) > 0) return true;
    return fail_number(run, check, " must be more than ", v, at);
}

bool schema_scalars_exclusive_maximum(struct schema_run *run, const struct schema_check *check,
                                      const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_NUMBER || schema_number_compare(v, check->value) < 0) return true;
    return fail_number(run, check, " must be less than ", v, at);
}

bool schema_scalars_multiple_of(struct schema_run *run, const struct schema_check *check,
                                const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_NUMBER || schema_number_multiple(v, check->value)) return true;
    return fail_number(run, check, " must be a multiple of ", v, at);
}
