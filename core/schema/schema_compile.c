#include "schema/schema_compile.h"

#include "base/nearest.h"
#include "schema/schema_arrays.h"
#include "schema/schema_combine.h"
#include "schema/schema_objects.h"
#include "schema/schema_operands.h"
#include "schema/schema_pattern.h"
#include "schema/schema_scalars.h"

#include <stdarg.h>
#include <stdio.h>

enum keyword_use {
    CHECKED,   /* its value must be right and is checked */
    DECISIVE,  /* and once it has failed, the rest of the node has nothing to add */
    ANNOTATED, /* its value is read by no one, and may be anything */
    IGNORED,   /* it would change what is valid, and doesn't: a warning */
};

struct keyword {
    const char *name;
    enum keyword_use use;
    schema_operand_fn *operand;
    schema_check_fn *run; /* NULL: only its value is looked at */
};

/* In the order in which reasons are given: first what a value is, then how much of it there is,
 * then what is inside, and combinations last. What looks at what a neighbour compiled stands after
 * it: additionalProperties after patternProperties. `then` and `else` are compiled for their own
 * sake, so that a fault in one is found even without an `if`. */
static const struct keyword KEYWORDS[] = {
    {"$schema", CHECKED, schema_operands_dialect, NULL},
    {"$id", CHECKED, schema_operands_id, NULL},
    {"$defs", CHECKED, schema_operands_map, NULL},
    {"definitions", CHECKED, schema_operands_map, NULL},
    {"const", DECISIVE, schema_operands_any, schema_scalars_const},
    {"enum", DECISIVE, schema_operands_array, schema_scalars_enum},
    {"type", DECISIVE, schema_operands_types, schema_scalars_type},
    {"minLength", CHECKED, schema_operands_count, schema_scalars_min_length},
    {"maxLength", CHECKED, schema_operands_count, schema_scalars_max_length},
    {"format", CHECKED, schema_operands_format, schema_scalars_format},
    {"pattern", CHECKED, schema_operands_pattern, schema_scalars_pattern},
    {"minimum", CHECKED, schema_operands_number, schema_scalars_minimum},
    {"maximum", CHECKED, schema_operands_number, schema_scalars_maximum},
    {"exclusiveMinimum", CHECKED, schema_operands_number, schema_scalars_exclusive_minimum},
    {"exclusiveMaximum", CHECKED, schema_operands_number, schema_scalars_exclusive_maximum},
    {"multipleOf", CHECKED, schema_operands_step, schema_scalars_multiple_of},
    {"minItems", CHECKED, schema_operands_count, schema_arrays_min_items},
    {"maxItems", CHECKED, schema_operands_count, schema_arrays_max_items},
    {"uniqueItems", CHECKED, schema_operands_flag, schema_arrays_unique_items},
    {"prefixItems", CHECKED, schema_operands_list, schema_arrays_prefix_items},
    {"items", CHECKED, schema_operands_items, schema_arrays_items},
    {"minContains", CHECKED, schema_operands_count, NULL},
    {"maxContains", CHECKED, schema_operands_count, NULL},
    {"contains", CHECKED, schema_operands_contains, schema_arrays_contains},
    {"minProperties", CHECKED, schema_operands_count, schema_objects_min_properties},
    {"maxProperties", CHECKED, schema_operands_count, schema_objects_max_properties},
    {"required", CHECKED, schema_operands_names, schema_objects_required},
    {"dependentRequired", CHECKED, schema_operands_dependents, schema_objects_dependent_required},
    {"propertyNames", CHECKED, schema_operands_schema, schema_objects_property_names},
    {"properties", CHECKED, schema_operands_map, schema_objects_properties},
    {"patternProperties", CHECKED, schema_operands_patterns, schema_objects_pattern_properties},
    {"additionalProperties", CHECKED, schema_operands_rest, schema_objects_additional_properties},
    {"dependentSchemas", CHECKED, schema_operands_map, schema_objects_dependent_schemas},
    {"$ref", CHECKED, schema_operands_ref, schema_combine_ref},
    {"allOf", CHECKED, schema_operands_list, schema_combine_all_of},
    {"anyOf", CHECKED, schema_operands_list, schema_combine_any_of},
    {"oneOf", CHECKED, schema_operands_list, schema_combine_one_of},
    {"not", CHECKED, schema_operands_schema, schema_combine_not},
    {"then", CHECKED, schema_operands_schema, NULL},
    {"else", CHECKED, schema_operands_schema, NULL},
    {"if", CHECKED, schema_operands_condition, schema_combine_if},
    {"title", ANNOTATED, NULL, NULL},
    {"description", ANNOTATED, NULL, NULL},
    {"default", ANNOTATED, NULL, NULL},
    {"examples", ANNOTATED, NULL, NULL},
    {"deprecated", ANNOTATED, NULL, NULL},
    {"readOnly", ANNOTATED, NULL, NULL},
    {"writeOnly", ANNOTATED, NULL, NULL},
    {"$comment", ANNOTATED, NULL, NULL},
    {"contentEncoding", ANNOTATED, NULL, NULL},
    {"contentMediaType", ANNOTATED, NULL, NULL},
    {"contentSchema", ANNOTATED, NULL, NULL},
    {"enumNames", ANNOTATED, NULL, NULL},
    /* Of 2020-12, but not of this subset; or of drafts before it. */
    {"unevaluatedItems", IGNORED, NULL, NULL},
    {"unevaluatedProperties", IGNORED, NULL, NULL},
    {"dependencies", IGNORED, NULL, NULL},
    {"additionalItems", IGNORED, NULL, NULL},
    {"$anchor", IGNORED, NULL, NULL},
    {"$dynamicRef", IGNORED, NULL, NULL},
    {"$dynamicAnchor", IGNORED, NULL, NULL},
    {"$vocabulary", IGNORED, NULL, NULL},
};

enum { KEYWORD_COUNT = sizeof KEYWORDS / sizeof *KEYWORDS };

int schema_compile_fault(struct schema_compile *c, const struct json *at, const char *fault)
{
    struct buf where = {0};
    schema_node_pointer(c->root, at, &where);
    error_set(c->error, "%s: %s", where.n ? buf_text(&where) : "the schema itself", fault);
    buf_free(&where);
    return -1;
}

void schema_compile_warn(struct schema_compile *c, const char *format, ...)
{
    char text[512];
    if (!c->warnings) return;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (c->node->cell == c->root) buf_addc(c->warnings, '/');
    schema_node_pointer(c->root, c->node->cell, c->warnings);
    buf_addz(c->warnings, ": ");
    buf_addz(c->warnings, text);
    buf_addc(c->warnings, '\n');
}

const struct schema_node *schema_compile_node(struct schema_compile *c, const struct json *cell)
{
    struct schema_node **node = &c->nodes[cell - c->root];
    /* Referred to before, or being compiled further up: a cycle closes here. */
    if (*node) return *node;
    if (cell->type != JSON_OBJECT && cell->type != JSON_TRUE && cell->type != JSON_FALSE) {
        schema_compile_fault(c, cell, "must be a schema: an object or a boolean");
        return NULL;
    }
    *node = arena_zalloc(c->arena, sizeof **node);
    (*node)->cell = cell;
    (*node)->never = cell->type == JSON_FALSE;
    c->queue[c->queued++] = cell;
    return *node;
}

struct schema_pattern *schema_compile_regex(struct schema_compile *c, struct bytes text,
                                            const struct json *at)
{
    struct error why;
    struct schema_pattern *pattern = schema_pattern_new(text, &why);
    if (!pattern) {
        struct error fault;
        error_set(&fault, "not a regular expression: %s", why.text);
        schema_compile_fault(c, at, fault.text);
        return NULL;
    }
    struct schema_compile_pattern *link = arena_alloc(c->arena, sizeof *link);
    *link = (struct schema_compile_pattern){pattern, c->patterns};
    c->patterns = link;
    return pattern;
}

/* Compiles one keyword into the next free check of the node, which is kept only if there is
 * something to run. There is room: a node has as many checks as its schema has members. */
static int compile_keyword(struct schema_compile *c, const struct keyword *keyword,
                           const struct json *value)
{
    struct schema_node *node = c->node;
    struct schema_check *check = &node->checks[node->count];
    *check = (struct schema_check){.run = keyword->run, .value = value};
    check->decisive = keyword->use == DECISIVE;
    if (keyword->use == IGNORED)
        schema_compile_warn(c, "\"%s\" isn't supported here and is ignored", keyword->name);
    if (!keyword->operand) return 0;
    if (keyword->operand(c, check, value) < 0) return -1;
    /* For explaining alternatives: which of them the value's type leaves over. */
    if (keyword->run == schema_scalars_type) node->types = check->of.types;
    node->count += check->run != NULL;
    return 0;
}

/* "x-" is what OpenAPI and its kin reserve for extensions. */
static bool is_known(struct bytes name)
{
    if (bytes_starts(name, BYTES("x-"))) return true;
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        if (bytes_equal(name, bytes_of(KEYWORDS[i].name))) return true;
    return false;
}

static void warn_unknown(struct schema_compile *c, struct bytes name)
{
    const char *names[KEYWORD_COUNT + 1];
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        names[i] = KEYWORDS[i].name;
    names[KEYWORD_COUNT] = NULL;
    struct bytes copy = arena_copy(c->arena, name);
    const char *near = nearest_name(copy.p, names);
    if (near)
        schema_compile_warn(c, "unknown keyword \"%s\" (did you mean \"%s\"?)", copy.p, near);
    else
        schema_compile_warn(c, "unknown keyword \"%s\"", copy.p);
}

/* Names the property that was probably meant. */
static void warn_absent(struct schema_compile *c, const struct json *properties, struct bytes name)
{
    const char **names = arena_alloc(c->arena, (properties->count + 1) * sizeof *names);
    size_t n = 0;
    struct bytes copy = arena_copy(c->arena, name);
    for (const struct json *k = json_first(properties); k; k = json_next(properties, k))
        names[n++] = arena_copy(c->arena, k->text).p;
    names[n] = NULL;
    const char *near = nearest_name(copy.p, names);
    if (near)
        schema_compile_warn(c,
                            "\"%s\" is required, but not among the properties (did you mean "
                            "\"%s\"?)",
                            copy.p, near);
    else
        schema_compile_warn(c, "\"%s\" is required, but not among the properties", copy.p);
}

/* A name that is required and not among the properties is legal, and nearly always a slip: a client
 * then has to send what nothing describes. Where other keywords may describe it, it is none. */
static void warn_required(struct schema_compile *c, const struct json *cell)
{
    const struct json *properties = json_get(cell, "properties");
    const struct json *required = json_get(cell, "required");
    if (!json_is(properties, JSON_OBJECT) || !json_is(required, JSON_ARRAY)) return;
    if (json_get(cell, "patternProperties") || json_get(cell, "allOf") || json_get(cell, "$ref"))
        return;
    if (json_is(json_get(cell, "additionalProperties"), JSON_OBJECT)) return;
    for (const struct json *e = json_first(required); e; e = json_next(required, e))
        if (json_is(e, JSON_STRING) && !json_get_bytes(properties, e->text))
            warn_absent(c, properties, e->text);
}

/* Compiles the keywords of one schema. Going through the table, not through the members, makes the
 * order of reasons the same for every order of the text. */
static int fill_in(struct schema_compile *c, struct schema_node *node)
{
    const struct json *cell = node->cell;
    if (cell->type != JSON_OBJECT) return 0;
    node->checks = arena_alloc(c->arena, cell->count * sizeof *node->checks);
    c->node = node;
    for (const struct json *key = json_first(cell); key && c->warnings; key = json_next(cell, key))
        if (!is_known(key->text)) warn_unknown(c, key->text);
    if (c->warnings) warn_required(c, cell);
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        const struct json *value = json_get(cell, KEYWORDS[i].name);
        if (value && compile_keyword(c, &KEYWORDS[i], value) < 0) return -1;
    }
    return 0;
}

const struct schema_node *schema_compile_root(struct schema_compile *c)
{
    c->nodes = arena_zalloc(c->arena, c->root->span * sizeof(struct schema_node *));
    c->queue = arena_alloc(c->arena, c->root->span * sizeof(const struct json *));
    const struct schema_node *root = schema_compile_node(c, c->root);
    for (uint32_t i = 0; root && i < c->queued; i++)
        if (fill_in(c, c->nodes[c->queue[i] - c->root]) < 0) return NULL;
    return root;
}
