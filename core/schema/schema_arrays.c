#include "schema/schema_arrays.h"

#include "base/mem.h"
#include "schema/schema_reason.h"
#include "schema/schema_run.h"
#include "wire/json_write.h"

#include <stdlib.h>

/* Up to here, in elements and in cells, elements are compared in pairs, without memory. */
enum { FEW_ITEMS = 16, FEW_CELLS = 128 };

/* The functions that fail return false, so that a check can return what they do. */
static bool fail_count(struct schema_run *run, const char *bound, uint64_t limit,
                       const struct json *v, const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_addz(out, bound);
    schema_reason_count(out, limit, "item");
    buf_printf(out, ", not %u", (unsigned)v->count);
    return false;
}

bool schema_arrays_min_items(struct schema_run *run, const struct schema_check *check,
                             const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_ARRAY || v->count >= check->of.limit) return true;
    return fail_count(run, " must have at least ", check->of.limit, v, at);
}

bool schema_arrays_max_items(struct schema_run *run, const struct schema_check *check,
                             const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_ARRAY || v->count <= check->of.limit) return true;
    return fail_count(run, " must have at most ", check->of.limit, v, at);
}

bool schema_arrays_prefix_items(struct schema_run *run, const struct schema_check *check,
                                const struct json *v, const struct schema_place *at)
{
    const struct schema_list *list = check->of.list;
    struct schema_place here = {.up = at};
    bool valid = true;
    for (const struct json *e = json_first(v); v->type == JSON_ARRAY && e; e = json_next(v, e)) {
        if (here.index == list->count) break;
        if (!schema_run_node(run, list->at[here.index], e, &here)) {
            valid = false;
            if (schema_run_done(run)) break;
        }
        schema_run_mark(run, v, e);
        here.index++;
    }
    return valid;
}

bool schema_arrays_items(struct schema_run *run, const struct schema_check *check,
                         const struct json *v, const struct schema_place *at)
{
    const struct schema_items *items = check->of.items;
    struct schema_place here = {.up = at};
    bool valid = true;
    if (v->type != JSON_ARRAY || v->count <= items->first) return true;
    /* Better said once of the array than of every item too many. */
    if (items->node->never) return fail_count(run, " must have at most ", items->first, v, at);
    for (const struct json *e = json_first(v); e; e = json_next(v, e), here.index++) {
        if (here.index < items->first) continue;
        schema_run_mark(run, v, e);
        if (schema_run_node(run, items->node, e, &here)) continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}

static bool fail_contains(struct schema_run *run, const struct schema_contains *contains,
                          uint64_t found, const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    bool few = found < contains->least;
    buf_addz(out, few ? " must have at least " : " must have at most ");
    schema_reason_count(out, few ? contains->least : contains->most, "item");
    buf_addz(out, " of the kind its schema's \"contains\" describes, not ");
    if (few)
        buf_printf(out, "%llu", (unsigned long long)found);
    else
        buf_addz(out, "more");
    return false;
}

bool schema_arrays_contains(struct schema_run *run, const struct schema_check *check,
                            const struct json *v, const struct schema_place *at)
{
    const struct schema_contains *contains = check->of.contains;
    struct schema_place here = {.up = at};
    uint64_t found = 0;
    if (v->type != JSON_ARRAY) return true;
    bool all = contains->most != UINT64_MAX || schema_run_marks(run, v);
    for (const struct json *e = json_first(v); e; e = json_next(v, e), here.index++) {
        bool matches = schema_run_quietly(run, contains->node, e, &here);
        if (matches) schema_run_mark(run, v, e);
        found += matches;
        if (run->broken || found > contains->most) break;
        /* Without an upper bound the rest of the items can't matter. */
        if (found >= contains->least && !all) return true;
    }
    if (run->broken) return false;
    if (found >= contains->least && found <= contains->most) return true;
    return fail_contains(run, contains, found, at);
}

bool schema_arrays_unevaluated(struct schema_run *run, const struct schema_check *check,
                               const struct json *v, const struct schema_place *at)
{
    const struct schema_node *node = check->of.rest->node;
    struct schema_place here = {.up = at};
    bool valid = true;
    if (v->type != JSON_ARRAY) return true;
    for (const struct json *e = json_first(v); e; e = json_next(v, e), here.index++) {
        if (schema_marks_has(run->marks, e)) continue;
        schema_marks_add(run->marks, e);
        if (schema_run_node(run, node, e, &here)) continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}

static bool fail_unique(struct schema_run *run, uint32_t a, uint32_t b, const struct json *v,
                        const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_printf(out, " must not have two equal items, but [%u] and [%u] are both ", (unsigned)a,
               (unsigned)b);
    schema_reason_value(out, v);
    return false;
}

static bool unique_pairs(struct schema_run *run, const struct json *v,
                         const struct schema_place *at)
{
    uint32_t j = 0;
    for (const struct json *b = json_first(v); b; b = json_next(v, b), j++) {
        uint32_t i = 0;
        for (const struct json *a = json_first(v); a != b; a = json_next(v, a), i++)
            if (json_equal(a, b)) return fail_unique(run, i, j, b, at);
    }
    return true;
}

struct item {
    size_t start, n;   /* of its canonical text */
    const char *texts; /* where all of them stand */
    const struct json *v;
    uint32_t index;
};

static struct bytes text_of(const struct item *item)
{
    return (struct bytes){item->texts + item->start, item->n};
}

/* By text; equal ones in the order of the array, so that a reason names the first two. */
static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = bytes_compare(text_of(x), text_of(y));
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Many or large items: equal ones have equal canonical texts (json_write_canonical), and sorted
 * those stand together. n log n comparisons, where pairs would be quadratic in what a client
 * sends. */
static bool unique_sorted(struct schema_run *run, const struct json *v,
                          const struct schema_place *at)
{
    struct buf texts = {0};
    struct item *items = mem_alloc(v->count * sizeof *items);
    size_t n = 0;
    for (const struct json *e = json_first(v); e; e = json_next(v, e), n++) {
        size_t start = texts.n;
        json_write_canonical(&texts, e);
        items[n] = (struct item){.start = start, .n = texts.n - start, .v = e};
        items[n].index = (uint32_t)n;
    }
    /* Only now: the buf moved while it grew. */
    for (size_t i = 0; i < n; i++)
        items[i].texts = texts.p;
    qsort(items, n, sizeof *items, compare_items);
    bool valid = true;
    for (size_t i = 1; i < n && valid; i++) {
        if (!bytes_equal(text_of(&items[i - 1]), text_of(&items[i]))) continue;
        valid = fail_unique(run, items[i - 1].index, items[i].index, items[i].v, at);
    }
    free(items);
    buf_free(&texts);
    return valid;
}

bool schema_arrays_unique_items(struct schema_run *run, const struct schema_check *check,
                                const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_ARRAY || check->value->type != JSON_TRUE || v->count < 2) return true;
    /* Paid in cells: each is written and compared, whatever the number of items. */
    if (!schema_run_step(run, v->span, at)) return false;
    if (v->count <= FEW_ITEMS && v->span <= FEW_CELLS) return unique_pairs(run, v, at);
    return unique_sorted(run, v, at);
}
