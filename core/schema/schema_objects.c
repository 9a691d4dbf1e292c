#include "schema/schema_objects.h"

#include "base/nearest.h"
#include "schema/schema_pattern.h"
#include "schema/schema_reason.h"
#include "schema/schema_run.h"

#include <string.h>

enum { LONGEST_NAME = 64 }; /* nearest_name looks at none longer */

/* Checks that `v` has every name of the array `names`; `needed_by` is {NULL, 0} for `required`. */
static bool has_all(struct schema_run *run, const struct json *names, struct bytes needed_by,
                    const struct json *v, const struct schema_place *at)
{
    bool valid = true;
    for (const struct json *name = json_first(names); name; name = json_next(names, name)) {
        if (json_get_bytes(v, name->text)) continue;
        valid = false;
        struct schema_place missing = {.up = at, .key = name->text};
        struct buf *out = schema_run_reason(run, &missing);
        if (!out) break; /* nobody asks for the others either */
        buf_addz(out, " is missing");
        if (!needed_by.p) continue;
        buf_addz(out, " (");
        schema_reason_quote(out, needed_by);
        buf_addz(out, " needs it)");
    }
    return valid;
}

bool schema_objects_required(struct schema_run *run, const struct schema_check *check,
                             const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_OBJECT) return true;
    return has_all(run, check->value, (struct bytes){NULL, 0}, v, at);
}

bool schema_objects_dependent_required(struct schema_run *run, const struct schema_check *check,
                                       const struct json *v, const struct schema_place *at)
{
    const struct json *by = check->value;
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (const struct json *key = json_first(by); key; key = json_next(by, key))
        if (json_get_bytes(v, key->text) && !has_all(run, json_value(key), key->text, v, at))
            valid = false;
    return valid;
}

static bool fail_count(struct schema_run *run, const char *bound, uint64_t limit,
                       const struct json *v, const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_addz(out, bound);
    schema_reason_count(out, limit, "property");
    buf_printf(out, ", not %u", (unsigned)v->count);
    return false;
}

bool schema_objects_min_properties(struct schema_run *run, const struct schema_check *check,
                                   const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_OBJECT || v->count >= check->of.limit) return true;
    return fail_count(run, " must have at least ", check->of.limit, v, at);
}

bool schema_objects_max_properties(struct schema_run *run, const struct schema_check *check,
                                   const struct json *v, const struct schema_place *at)
{
    if (v->type != JSON_OBJECT || v->count <= check->of.limit) return true;
    return fail_count(run, " must have at most ", check->of.limit, v, at);
}

bool schema_objects_properties(struct schema_run *run, const struct schema_check *check,
                               const struct json *v, const struct schema_place *at)
{
    const struct schema_map *map = check->of.map;
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (uint32_t i = 0; i < map->count; i++) {
        const struct json *value = json_get_bytes(v, map->at[i].name);
        if (!value) continue;
        struct schema_place here = {.up = at, .key = map->at[i].name};
        schema_run_mark(run, v, value);
        if (schema_run_node(run, map->at[i].node, value, &here)) continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}

bool schema_objects_dependent_schemas(struct schema_run *run, const struct schema_check *check,
                                      const struct json *v, const struct schema_place *at)
{
    const struct schema_map *map = check->of.map;
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (uint32_t i = 0; i < map->count; i++) {
        if (!json_get_bytes(v, map->at[i].name)) continue;
        if (schema_run_node(run, map->at[i].node, v, at)) continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}

/* draft-07: by each name that is there, names that must be too, or a schema for the whole. */
bool schema_objects_dependencies(struct schema_run *run, const struct schema_check *check,
                                 const struct json *v, const struct schema_place *at)
{
    const struct schema_map *map = check->of.map;
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (uint32_t i = 0; i < map->count; i++) {
        const struct schema_member *member = &map->at[i];
        if (!json_get_bytes(v, member->name)) continue;
        if (member->node ? schema_run_node(run, member->node, v, at)
                         : has_all(run, member->names, member->name, v, at))
            continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}

/* Returns true if the name matches; a search that gives up breaks the run. */
static bool name_matches(struct schema_run *run, struct schema_pattern *pattern,
                         const struct json *key, const struct schema_place *here)
{
    unsigned steps;
    enum schema_match match = schema_pattern_match(pattern, key->text, &steps);
    if (match == SCHEMA_MATCH_LIMIT)
        return schema_run_break(run, here, "has a name that takes too long to match");
    return schema_run_step(run, steps, here) && match == SCHEMA_MATCH_YES;
}

bool schema_objects_pattern_properties(struct schema_run *run, const struct schema_check *check,
                                       const struct json *v, const struct schema_place *at)
{
    const struct schema_map *map = check->of.map;
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (const struct json *key = json_first(v); key; key = json_next(v, key)) {
        struct schema_place here = {.up = at, .key = key->text};
        for (uint32_t i = 0; i < map->count; i++) {
            if (!name_matches(run, map->at[i].pattern, key, &here)) continue;
            schema_run_mark(run, v, json_value(key));
            /* Every pattern that matches counts, not the first alone. */
            valid &= schema_run_node(run, map->at[i].node, json_value(key), &here);
        }
        if (run->broken || (!valid && schema_run_done(run))) return false;
    }
    return valid;
}

/* Returns true for a member that neither `properties` nor `patternProperties` speak of. A search
 * that gives up counts as no match here, but has broken the run, which the caller looks at. */
static bool is_additional(struct schema_run *run, const struct schema_rest *rest,
                          const struct json *key, const struct schema_place *here)
{
    if (json_get_bytes(rest->properties, key->text)) return false;
    for (uint32_t i = 0; rest->patterns && i < rest->patterns->count; i++)
        if (name_matches(run, rest->patterns->at[i].pattern, key, here)) return false;
    return true;
}

/* Says that the object has a member too many; a mistyped name is the likely reason. */
static bool fail_unknown(struct schema_run *run, const struct schema_rest *rest,
                         const struct json *key, const struct schema_place *at)
{
    struct buf *out = schema_run_reason(run, at);
    if (!out) return false;
    buf_addz(out, " has an unknown property ");
    schema_reason_quote(out, key->text);
    char name[LONGEST_NAME + 1]; /* a longer one has no near name anyway */
    if (key->text.n > LONGEST_NAME) return false;
    memcpy(name, key->text.p, key->text.n);
    name[key->text.n] = '\0';
    const char *near = nearest_name(name, rest->names);
    if (near) buf_printf(out, " (did you mean \"%s\"?)", near);
    return false;
}

bool schema_objects_additional_properties(struct schema_run *run, const struct schema_check *check,
                                          const struct json *v, const struct schema_place *at)
{
    const struct schema_rest *rest = check->of.rest;
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (const struct json *key = json_first(v); key; key = json_next(v, key)) {
        struct schema_place here = {.up = at, .key = key->text};
        /* Looking a name up among `properties` is work even if no subschema is run for it. */
        if (!schema_run_step(run, 1, at)) return false;
        if (!is_additional(run, rest, key, &here)) continue;
        schema_run_mark(run, v, json_value(key));
        if (rest->node->never ? fail_unknown(run, rest, key, at)
                              : schema_run_node(run, rest->node, json_value(key), &here))
            continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid && !run->broken;
}

bool schema_objects_unevaluated(struct schema_run *run, const struct schema_check *check,
                                const struct json *v, const struct schema_place *at)
{
    const struct schema_rest *rest = check->of.rest;
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (const struct json *key = json_first(v); key; key = json_next(v, key)) {
        struct schema_place here = {.up = at, .key = key->text};
        if (schema_marks_has(run->marks, json_value(key))) continue;
        schema_marks_add(run->marks, json_value(key));
        if (rest->node->never ? fail_unknown(run, rest, key, at)
                              : schema_run_node(run, rest->node, json_value(key), &here))
            continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}

bool schema_objects_property_names(struct schema_run *run, const struct schema_check *check,
                                   const struct json *v, const struct schema_place *at)
{
    bool valid = true;
    if (v->type != JSON_OBJECT) return true;
    for (const struct json *key = json_first(v); key; key = json_next(v, key)) {
        struct schema_place here = {.up = at, .key = key->text, .is_name = true};
        if (schema_run_node(run, check->of.node, key, &here)) continue;
        valid = false;
        if (schema_run_done(run)) break;
    }
    return valid;
}
