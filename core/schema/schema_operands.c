#include "schema/schema_operands.h"

#include "schema/schema_number.h"

#include <math.h>

int schema_operands_any(struct schema_compile *c, struct schema_check *check,
                        const struct json *value)
{
    (void)c, (void)check, (void)value;
    return 0;
}

/* An empty enum is legal and allows nothing (2020-12 validation, 6.1.2). */
int schema_operands_array(struct schema_compile *c, struct schema_check *check,
                          const struct json *value)
{
    (void)check;
    if (json_is(value, JSON_ARRAY)) return 0;
    return schema_compile_fault(c, value, "must be an array of the values allowed");
}

int schema_operands_flag(struct schema_compile *c, struct schema_check *check,
                         const struct json *value)
{
    (void)check;
    if (json_is(value, JSON_TRUE) || json_is(value, JSON_FALSE)) return 0;
    return schema_compile_fault(c, value, "must be a boolean");
}

/* Returns the set of types that one name stands for; 0 if there is no such type. "number" includes
 * the integers by what schema_node_types says of a value. */
static unsigned type_named(struct bytes name)
{
    static const struct {
        const char *name;
        unsigned type;
    } TYPES[] = {
        {"string", 1u << JSON_STRING},    {"number", 1u << JSON_NUMBER},
        {"integer", SCHEMA_TYPE_INTEGER}, {"boolean", 1u << JSON_FALSE},
        {"object", 1u << JSON_OBJECT},    {"array", 1u << JSON_ARRAY},
        {"null", 1u << JSON_NULL},
    };
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (bytes_equal(name, bytes_of(TYPES[i].name))) return TYPES[i].type;
    return 0;
}

int schema_operands_types(struct schema_compile *c, struct schema_check *check,
                          const struct json *value)
{
    static const char FAULT[] =
        "must be \"string\", \"number\", \"integer\", \"boolean\", \"object\", \"array\" or "
        "\"null\", or an array of them";
    unsigned types = 0;
    if (json_is(value, JSON_STRING)) types = type_named(value->text);
    for (const struct json *e = json_is(value, JSON_ARRAY) ? json_first(value) : NULL; e;
         e = json_next(value, e)) {
        unsigned type = type_named(json_string(e));
        if (!type) return schema_compile_fault(c, e, FAULT);
        types |= type;
    }
    if (!types) return schema_compile_fault(c, value, FAULT);
    check->of.types = types;
    return 0;
}

/* Reads a non-negative integer in whatever notation; those beyond 64 bits are as good as none. */
static bool read_count(const struct json *value, uint64_t *count_r)
{
    double number;
    int64_t exact;
    if (!schema_number_integral(value) || !json_double(value, &number) || number < 0) return false;
    *count_r = json_int(value, &exact) ? (uint64_t)exact : UINT64_MAX;
    return true;
}

int schema_operands_count(struct schema_compile *c, struct schema_check *check,
                          const struct json *value)
{
    if (read_count(value, &check->of.limit)) return 0;
    return schema_compile_fault(c, value, "must be a non-negative integer");
}

int schema_operands_number(struct schema_compile *c, struct schema_check *check,
                           const struct json *value)
{
    (void)check;
    double number;
    /* 1e400 is a number, but comparing falls back on doubles, where it is infinite. */
    if (json_double(value, &number) && isfinite(number)) return 0;
    return schema_compile_fault(c, value, "must be a number");
}

int schema_operands_step(struct schema_compile *c, struct schema_check *check,
                         const struct json *value)
{
    (void)check;
    double number;
    if (json_double(value, &number) && isfinite(number) && number > 0) return 0;
    return schema_compile_fault(c, value, "must be a number above 0");
}

int schema_operands_pattern(struct schema_compile *c, struct schema_check *check,
                            const struct json *value)
{
    if (!json_is(value, JSON_STRING))
        return schema_compile_fault(c, value, "must be a string, a regular expression");
    check->of.pattern = schema_compile_regex(c, value->text, value);
    return check->of.pattern ? 0 : -1;
}

int schema_operands_format(struct schema_compile *c, struct schema_check *check,
                           const struct json *value)
{
    if (!json_is(value, JSON_STRING)) return schema_compile_fault(c, value, "must be a string");
    check->of.format = c->assert_format ? schema_format_find(value->text) : NULL;
    if (!check->of.format) check->run = NULL; /* an annotation, and so is a format unknown here */
    return 0;
}

int schema_operands_names(struct schema_compile *c, struct schema_check *check,
                          const struct json *value)
{
    (void)check;
    if (!json_is(value, JSON_ARRAY))
        return schema_compile_fault(c, value, "must be an array of property names");
    for (const struct json *e = json_first(value); e; e = json_next(value, e))
        if (!json_is(e, JSON_STRING))
            return schema_compile_fault(c, e, "must be a string, the name of a property");
    return 0;
}

int schema_operands_dependents(struct schema_compile *c, struct schema_check *check,
                               const struct json *value)
{
    if (!json_is(value, JSON_OBJECT))
        return schema_compile_fault(c, value, "must be an object of arrays of property names");
    for (const struct json *key = json_first(value); key; key = json_next(value, key))
        if (schema_operands_names(c, check, json_value(key)) < 0) return -1;
    return 0;
}

int schema_operands_schema(struct schema_compile *c, struct schema_check *check,
                           const struct json *value)
{
    check->of.node = schema_compile_node(c, value);
    return check->of.node ? 0 : -1;
}

int schema_operands_list(struct schema_compile *c, struct schema_check *check,
                         const struct json *value)
{
    if (!json_is(value, JSON_ARRAY) || value->count == 0)
        return schema_compile_fault(c, value, "must be an array of at least one schema");
    struct schema_list *list =
        arena_alloc(c->arena, sizeof *list + value->count * sizeof *list->at);
    list->count = 0;
    for (const struct json *e = json_first(value); e; e = json_next(value, e))
        if (!(list->at[list->count++] = schema_compile_node(c, e))) return -1;
    check->of.list = list;
    return 0;
}

/* Returns the map of an object of schemas, or NULL with the error. */
static struct schema_map *new_map(struct schema_compile *c, const struct json *value)
{
    if (!json_is(value, JSON_OBJECT)) {
        schema_compile_fault(c, value, "must be an object whose values are schemas");
        return NULL;
    }
    struct schema_map *map = arena_alloc(c->arena, sizeof *map + value->count * sizeof *map->at);
    map->count = 0;
    for (const struct json *key = json_first(value); key; key = json_next(value, key)) {
        struct schema_member *member = &map->at[map->count++];
        *member = (struct schema_member){.name = key->text};
        member->node = schema_compile_node(c, json_value(key));
        if (!member->node) return NULL;
    }
    return map;
}

int schema_operands_map(struct schema_compile *c, struct schema_check *check,
                        const struct json *value)
{
    check->of.map = new_map(c, value);
    return check->of.map ? 0 : -1;
}

/* The names are patterns: one that can't be compiled is a fault at its schema. */
int schema_operands_patterns(struct schema_compile *c, struct schema_check *check,
                             const struct json *value)
{
    struct schema_map *map = new_map(c, value);
    if (!map) return -1;
    for (uint32_t i = 0; i < map->count; i++) {
        map->at[i].pattern = schema_compile_regex(c, map->at[i].name, map->at[i].node->cell);
        if (!map->at[i].pattern) return -1;
    }
    check->of.map = map;
    return 0;
}

/* Returns the keyword's value beside the one being compiled, or NULL. */
static const struct json *beside(const struct schema_compile *c, const char *name)
{
    return json_get(c->node->cell, name);
}

/* Returns the NULL-terminated names of the members of `properties`, as nearest_name wants them:
 * made once here, not for every value that has a mistyped name. */
static const char *const *new_names(struct schema_compile *c, const struct json *properties)
{
    size_t n = properties ? properties->count : 0;
    const char **names = arena_zalloc(c->arena, (n + 1) * sizeof *names), **at = names;
    for (const struct json *key = json_first(properties); key; key = json_next(properties, key))
        *at++ = arena_copy(c->arena, key->text).p;
    return names;
}

int schema_operands_rest(struct schema_compile *c, struct schema_check *check,
                         const struct json *value)
{
    struct schema_rest *rest = arena_zalloc(c->arena, sizeof *rest);
    const struct json *patterns = beside(c, "patternProperties");
    rest->node = schema_compile_node(c, value);
    if (!rest->node) return -1;
    rest->properties = beside(c, "properties");
    /* The table has patternProperties first, so it is there already. */
    for (uint32_t i = 0; patterns && i < c->node->count; i++)
        if (c->node->checks[i].value == patterns) rest->patterns = c->node->checks[i].of.map;
    rest->names = new_names(c, rest->properties);
    check->of.rest = rest;
    return 0;
}

/* An array here is draft-07's and older: saying what it is called now beats "must be a schema". */
int schema_operands_items(struct schema_compile *c, struct schema_check *check,
                          const struct json *value)
{
    struct schema_items *items = arena_zalloc(c->arena, sizeof *items);
    const struct json *prefix = beside(c, "prefixItems");
    if (json_is(value, JSON_ARRAY))
        return schema_compile_fault(
            c, value, "must be one schema; a list of them by position is \"prefixItems\"");
    items->first = json_is(prefix, JSON_ARRAY) ? prefix->count : 0;
    items->node = schema_compile_node(c, value);
    check->of.items = items;
    return items->node ? 0 : -1;
}

/* The bounds are read here and checked for their type by their own lines of the table. With
 * minContains 0 no item need match (2020-12 core, 10.3.1.3). */
int schema_operands_contains(struct schema_compile *c, struct schema_check *check,
                             const struct json *value)
{
    struct schema_contains *contains = arena_zalloc(c->arena, sizeof *contains);
    if (!read_count(beside(c, "minContains"), &contains->least)) contains->least = 1;
    if (!read_count(beside(c, "maxContains"), &contains->most)) contains->most = UINT64_MAX;
    contains->node = schema_compile_node(c, value);
    check->of.contains = contains;
    return contains->node ? 0 : -1;
}

int schema_operands_condition(struct schema_compile *c, struct schema_check *check,
                              const struct json *value)
{
    struct schema_condition *condition = arena_zalloc(c->arena, sizeof *condition);
    const struct json *then = beside(c, "then"), *otherwise = beside(c, "else");
    check->of.condition = condition;
    condition->test = schema_compile_node(c, value);
    if (!condition->test) return -1;
    if (then && !(condition->then = schema_compile_node(c, then))) return -1;
    if (otherwise && !(condition->otherwise = schema_compile_node(c, otherwise))) return -1;
    return 0;
}

/* Only within this schema: a server that fetches what a schema names can be made to fetch
 * (2026-07-28 basic, "$ref Resolution": MUST NOT). Refusing what can't be resolved beats taking it
 * for a schema that allows everything. */
int schema_operands_ref(struct schema_compile *c, struct schema_check *check,
                        const struct json *value)
{
    struct bytes reference = json_string(value);
    if (!json_is(value, JSON_STRING)) return schema_compile_fault(c, value, "must be a string");
    if (reference.n == 0 || reference.p[0] != '#')
        return schema_compile_fault(c, value,
                                    "references to other documents aren't fetched; copy what is "
                                    "needed into \"$defs\" and refer to it as \"#/$defs/NAME\"");
    const struct json *target = schema_node_find(c->root, reference);
    if (!target)
        return schema_compile_fault(
            c, value, "refers to nothing in this schema; write \"#\" or \"#/path/to/it\"");
    check->of.node = schema_compile_node(c, target);
    c->node->ref = check->of.node;
    return check->of.node ? 0 : -1;
}

/* By name and not by fetching. An empty fragment is part of draft-07's name and of no other's, but
 * is written with both. MCP wants 2020-12 where none is named, and an error for those not known
 * (2026-07-28 basic, "Schema Dialect"). */
int schema_operands_dialect(struct schema_compile *c, struct schema_check *check,
                            const struct json *value)
{
    (void)check;
    struct bytes name = json_string(value);
    if (name.n && name.p[name.n - 1] == '#') name.n--;
    if (bytes_equal(name, BYTES("https://json-schema.org/draft/2020-12/schema")) ||
        bytes_equal(name, BYTES("http://json-schema.org/draft-07/schema")))
        return 0;
    return schema_compile_fault(c, value,
                                "must be \"https://json-schema.org/draft/2020-12/schema\" or "
                                "\"http://json-schema.org/draft-07/schema#\", the dialects known "
                                "here");
}

/* An $id would be what references below it are resolved against (2020-12 core, 8.2.1). Only those
 * to "#…" are taken here, so at the root it changes nothing; below it would. */
int schema_operands_id(struct schema_compile *c, struct schema_check *check,
                       const struct json *value)
{
    (void)check;
    if (!json_is(value, JSON_STRING)) return schema_compile_fault(c, value, "must be a string");
    if (c->node->cell != c->root)
        schema_compile_warn(c, "\"$id\" below the root is ignored: \"#\" means the whole schema");
    return 0;
}
