#include "schema/schema_operands.h"

#include "schema/schema_arrays.h"
#include "schema/schema_keywords.h"
#include "schema/schema_number.h"
#include "schema/schema_uri.h"

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
    bool asserted = c->assert_format || c->node->resource->dialect.asserts_format;
    check->of.format = asserted ? schema_format_find(value->text) : NULL;
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

int schema_operands_unevaluated(struct schema_compile *c, struct schema_check *check,
                                const struct json *value)
{
    struct schema_rest *rest = arena_zalloc(c->arena, sizeof *rest);
    bool items = check->value == beside(c, "unevaluatedItems");
    rest->node = schema_compile_node(c, value);
    rest->names = new_names(c, items ? NULL : beside(c, "properties"));
    c->node->leaves |= 1u << (items ? JSON_ARRAY : JSON_OBJECT);
    check->of.rest = rest;
    return rest->node ? 0 : -1;
}

/* An array here is draft-07's and older; it declares itself by "$schema". Saying what it is called
 * now beats "must be a schema". */
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

/* draft-07: one schema for all elements, or one for each of the first (validation, 6.4.1). */
int schema_operands_old_items(struct schema_compile *c, struct schema_check *check,
                              const struct json *value)
{
    if (json_is(value, JSON_ARRAY)) {
        check->run = value->count ? schema_arrays_prefix_items : NULL;
        return value->count ? schema_operands_list(c, check, value) : 0;
    }
    check->run = schema_arrays_items;
    return schema_operands_items(c, check, value);
}

/* draft-07: of no effect unless `items` is a list (validation, 6.4.2). */
int schema_operands_additional_items(struct schema_compile *c, struct schema_check *check,
                                     const struct json *value)
{
    struct schema_items *items = arena_zalloc(c->arena, sizeof *items);
    const struct json *prefix = beside(c, "items");
    items->node = schema_compile_node(c, value);
    if (json_is(prefix, JSON_ARRAY))
        items->first = prefix->count;
    else
        check->run = NULL;
    check->of.items = items;
    return items->node ? 0 : -1;
}

/* draft-07: what 2020-12 has split into dependentSchemas and dependentRequired. */
int schema_operands_dependencies(struct schema_compile *c, struct schema_check *check,
                                 const struct json *value)
{
    if (!json_is(value, JSON_OBJECT))
        return schema_compile_fault(c, value, "must be an object of schemas and lists of names");
    struct schema_map *map = arena_alloc(c->arena, sizeof *map + value->count * sizeof *map->at);
    map->count = 0;
    for (const struct json *key = json_first(value); key; key = json_next(value, key)) {
        const struct json *needed = json_value(key);
        struct schema_member *member = &map->at[map->count++];
        *member = (struct schema_member){.name = key->text};
        if (json_is(needed, JSON_ARRAY)) {
            if (schema_operands_names(c, check, needed) < 0) return -1;
            member->names = needed;
        } else if (!(member->node = schema_compile_node(c, needed))) {
            return -1;
        }
    }
    check->of.map = map;
    return 0;
}

/* The bounds are read here and checked for their type by their own lines of the table. With
 * minContains 0 no item need match (2020-12 core, 10.3.1.3). */
int schema_operands_contains(struct schema_compile *c, struct schema_check *check,
                             const struct json *value)
{
    struct schema_contains *contains = arena_zalloc(c->arena, sizeof *contains);
    bool old = c->node->resource->dialect.draft == SCHEMA_DRAFT_07;
    if (old || !read_count(beside(c, "minContains"), &contains->least)) contains->least = 1;
    if (old || !read_count(beside(c, "maxContains"), &contains->most)) contains->most = UINT64_MAX;
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

int schema_operands_string(struct schema_compile *c, struct schema_check *check,
                           const struct json *value)
{
    (void)check;
    if (json_is(value, JSON_STRING)) return 0;
    return schema_compile_fault(c, value, "must be a string");
}

int schema_operands_ref(struct schema_compile *c, struct schema_check *check,
                        const struct json *value)
{
    struct schema_target target;
    if (schema_operands_string(c, check, value) < 0) return -1;
    if (schema_document_find(c, c->node->resource, value, &target) < 0) return -1;
    check->of.node = schema_compile_node(c, target.cell);
    c->node->ref = check->of.node;
    return check->of.node ? 0 : -1;
}

/* Only where it leads to a dynamic anchor is it more than a "$ref" (2020-12 core, 8.2.3.2). */
int schema_operands_dynamic_ref(struct schema_compile *c, struct schema_check *check,
                                const struct json *value)
{
    struct schema_target target;
    if (schema_operands_string(c, check, value) < 0) return -1;
    if (schema_document_find(c, c->node->resource, value, &target) < 0) return -1;
    struct schema_dynamic *dynamic = arena_zalloc(c->arena, sizeof *dynamic);
    dynamic->node = schema_compile_node(c, target.cell);
    if (target.anchor && target.anchor->dynamic) dynamic->name = target.anchor->name;
    check->of.dynamic = dynamic;
    return dynamic->node ? 0 : -1;
}

int schema_operands_dialect(struct schema_compile *c, struct schema_check *check,
                            const struct json *value)
{
    struct schema_dialect dialect;
    (void)check;
    return schema_document_dialect(c, value, &dialect);
}

/* What it names was found before anything was compiled (schema_document.h). */
int schema_operands_id(struct schema_compile *c, struct schema_check *check,
                       const struct json *value)
{
    if (schema_operands_string(c, check, value) < 0) return -1;
    if (schema_uri_fragment(value->text).n == 0) return 0;
    return schema_compile_fault(c, value, "must have no fragment; \"$anchor\" names a place");
}

/* 2020-12 core, 8.2.2: a letter or "_", then those, digits, "-" and ".". */
int schema_operands_anchor(struct schema_compile *c, struct schema_check *check,
                           const struct json *value)
{
    struct bytes name = json_string(value);
    bool good = name.n > 0;
    (void)check;
    for (size_t i = 0; i < name.n && good; i++) {
        char ch = name.p[i];
        bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
        good = letter || (i > 0 && ((ch >= '0' && ch <= '9') || ch == '-' || ch == '.'));
    }
    if (good) return 0;
    return schema_compile_fault(c, value,
                                "must be a name: a letter or \"_\", then letters, digits, "
                                "\"_\", \"-\" and \".\"");
}
