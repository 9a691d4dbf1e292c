#include "schema/schema_keywords.h"

#include "base/nearest.h"
#include "schema/schema_arrays.h"
#include "schema/schema_combine.h"
#include "schema/schema_objects.h"
#include "schema/schema_scalars.h"

#include <string.h>

/* Short names for the table alone. */
enum { NEW = SCHEMA_DRAFT_2020_12, OLD = SCHEMA_DRAFT_07, BOTH = NEW | OLD };
enum {
    CORE = SCHEMA_VOCABULARY_CORE,
    APPLICATOR = SCHEMA_VOCABULARY_APPLICATOR,
    UNEVALUATED = SCHEMA_VOCABULARY_UNEVALUATED,
    VALIDATION = SCHEMA_VOCABULARY_VALIDATION,
    FORMAT = SCHEMA_VOCABULARY_FORMAT,
    CONTENT = SCHEMA_VOCABULARY_CONTENT,
    META = SCHEMA_VOCABULARY_META,
};
enum { OTHER = SCHEMA_SHAPE_OTHER, SCHEMAS = SCHEMA_SHAPE_SCHEMAS, MAP = SCHEMA_SHAPE_MAP };

/* In the order in which reasons are given: first what a value is, then how much of it there is,
 * then what is inside, and combinations last. What looks at what a neighbour compiled or marked
 * stands after it: additionalProperties after patternProperties, unevaluated… after all. `then` and
 * `else` are compiled for their own sake, so that a fault in one is found even without an `if`. */
static const struct schema_keyword KEYWORDS[] = {
    {"$schema", BOTH, CORE, OTHER, false, schema_operands_dialect, NULL},
    {"$vocabulary", NEW, CORE, OTHER, false, NULL, NULL},
    {"$id", NEW, CORE, OTHER, false, schema_operands_id, NULL},
    {"$id", OLD, CORE, OTHER, false, schema_operands_string, NULL},
    {"$anchor", NEW, CORE, OTHER, false, schema_operands_anchor, NULL},
    {"$dynamicAnchor", NEW, CORE, OTHER, false, schema_operands_anchor, NULL},
    {"$defs", BOTH, CORE, MAP, false, schema_operands_map, NULL},
    {"definitions", BOTH, CORE, MAP, false, schema_operands_map, NULL},
    {"const", BOTH, VALIDATION, OTHER, true, schema_operands_any, schema_scalars_const},
    {"enum", BOTH, VALIDATION, OTHER, true, schema_operands_array, schema_scalars_enum},
    {"type", BOTH, VALIDATION, OTHER, true, schema_operands_types, schema_scalars_type},
    {"minLength", BOTH, VALIDATION, OTHER, false, schema_operands_count, schema_scalars_min_length},
    {"maxLength", BOTH, VALIDATION, OTHER, false, schema_operands_count, schema_scalars_max_length},
    {"format", BOTH, FORMAT, OTHER, false, schema_operands_format, schema_scalars_format},
    {"pattern", BOTH, VALIDATION, OTHER, false, schema_operands_pattern, schema_scalars_pattern},
    {"minimum", BOTH, VALIDATION, OTHER, false, schema_operands_number, schema_scalars_minimum},
    {"maximum", BOTH, VALIDATION, OTHER, false, schema_operands_number, schema_scalars_maximum},
    {"exclusiveMinimum", BOTH, VALIDATION, OTHER, false, schema_operands_number,
     schema_scalars_exclusive_minimum},
    {"exclusiveMaximum", BOTH, VALIDATION, OTHER, false, schema_operands_number,
     schema_scalars_exclusive_maximum},
    {"multipleOf", BOTH, VALIDATION, OTHER, false, schema_operands_step,
     schema_scalars_multiple_of},
    {"minItems", BOTH, VALIDATION, OTHER, false, schema_operands_count, schema_arrays_min_items},
    {"maxItems", BOTH, VALIDATION, OTHER, false, schema_operands_count, schema_arrays_max_items},
    {"uniqueItems", BOTH, VALIDATION, OTHER, false, schema_operands_flag,
     schema_arrays_unique_items},
    {"prefixItems", NEW, APPLICATOR, SCHEMAS, false, schema_operands_list,
     schema_arrays_prefix_items},
    {"items", NEW, APPLICATOR, SCHEMAS, false, schema_operands_items, schema_arrays_items},
    {"items", OLD, APPLICATOR, SCHEMAS, false, schema_operands_old_items, NULL},
    {"additionalItems", OLD, APPLICATOR, SCHEMAS, false, schema_operands_additional_items,
     schema_arrays_items},
    {"minContains", NEW, VALIDATION, OTHER, false, schema_operands_count, NULL},
    {"maxContains", NEW, VALIDATION, OTHER, false, schema_operands_count, NULL},
    {"contains", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_contains,
     schema_arrays_contains},
    {"minProperties", BOTH, VALIDATION, OTHER, false, schema_operands_count,
     schema_objects_min_properties},
    {"maxProperties", BOTH, VALIDATION, OTHER, false, schema_operands_count,
     schema_objects_max_properties},
    {"required", BOTH, VALIDATION, OTHER, false, schema_operands_names, schema_objects_required},
    {"dependentRequired", NEW, VALIDATION, OTHER, false, schema_operands_dependents,
     schema_objects_dependent_required},
    {"propertyNames", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_schema,
     schema_objects_property_names},
    {"properties", BOTH, APPLICATOR, MAP, false, schema_operands_map, schema_objects_properties},
    {"patternProperties", BOTH, APPLICATOR, MAP, false, schema_operands_patterns,
     schema_objects_pattern_properties},
    {"additionalProperties", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_rest,
     schema_objects_additional_properties},
    {"dependentSchemas", NEW, APPLICATOR, MAP, false, schema_operands_map,
     schema_objects_dependent_schemas},
    {"dependencies", BOTH, APPLICATOR, MAP, false, schema_operands_dependencies,
     schema_objects_dependencies},
    {"$ref", BOTH, CORE, OTHER, false, schema_operands_ref, schema_combine_ref},
    {"$dynamicRef", NEW, CORE, OTHER, false, schema_operands_dynamic_ref,
     schema_combine_dynamic_ref},
    {"allOf", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_list, schema_combine_all_of},
    {"anyOf", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_list, schema_combine_any_of},
    {"oneOf", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_list, schema_combine_one_of},
    {"not", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_schema, schema_combine_not},
    {"then", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_schema, NULL},
    {"else", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_schema, NULL},
    {"if", BOTH, APPLICATOR, SCHEMAS, false, schema_operands_condition, schema_combine_if},
    {"unevaluatedItems", NEW, UNEVALUATED, SCHEMAS, false, schema_operands_unevaluated,
     schema_arrays_unevaluated},
    {"unevaluatedProperties", NEW, UNEVALUATED, SCHEMAS, false, schema_operands_unevaluated,
     schema_objects_unevaluated},
    {"title", BOTH, META, OTHER, false, NULL, NULL},
    {"description", BOTH, META, OTHER, false, NULL, NULL},
    {"default", BOTH, META, OTHER, false, NULL, NULL},
    {"examples", BOTH, META, OTHER, false, NULL, NULL},
    {"deprecated", BOTH, META, OTHER, false, NULL, NULL},
    {"readOnly", BOTH, META, OTHER, false, NULL, NULL},
    {"writeOnly", BOTH, META, OTHER, false, NULL, NULL},
    {"$comment", BOTH, CORE, OTHER, false, NULL, NULL},
    {"contentEncoding", BOTH, CONTENT, OTHER, false, NULL, NULL},
    {"contentMediaType", BOTH, CONTENT, OTHER, false, NULL, NULL},
    {"contentSchema", NEW, CONTENT, SCHEMAS, false, schema_operands_schema, NULL},
    {"enumNames", BOTH, META, OTHER, false, NULL, NULL},
};

enum { KEYWORD_COUNT = sizeof KEYWORDS / sizeof *KEYWORDS };

const struct schema_keyword *schema_keywords_all(size_t *count_r)
{
    *count_r = KEYWORD_COUNT;
    return KEYWORDS;
}

bool schema_keywords_counts(const struct schema_keyword *keyword,
                            const struct schema_dialect *dialect)
{
    return keyword->drafts & dialect->draft && keyword->vocabulary & dialect->vocabularies;
}

const struct schema_keyword *schema_keywords_find(struct bytes name,
                                                  const struct schema_dialect *dialect)
{
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        if (bytes_equal(name, bytes_of(KEYWORDS[i].name)) &&
            schema_keywords_counts(&KEYWORDS[i], dialect))
            return &KEYWORDS[i];
    return NULL;
}

unsigned schema_keywords_draft(struct bytes uri)
{
    if (bytes_equal(uri, BYTES("https://json-schema.org/draft/2020-12/schema"))) return NEW;
    if (bytes_equal(uri, BYTES("http://json-schema.org/draft-07/schema"))) return OLD;
    return 0;
}

struct schema_dialect schema_keywords_dialect(unsigned draft)
{
    return (struct schema_dialect){draft, SCHEMA_VOCABULARY_ALL, false};
}

unsigned schema_keywords_vocabulary(struct bytes uri, bool *asserts_format_r)
{
    static const struct {
        const char *name;
        unsigned vocabulary;
    } NAMES[] = {
        {"core", CORE},
        {"applicator", APPLICATOR},
        {"unevaluated", UNEVALUATED},
        {"validation", VALIDATION},
        {"meta-data", META},
        {"format-annotation", FORMAT},
        {"format-assertion", FORMAT},
        {"content", CONTENT},
    };
    struct bytes prefix = BYTES("https://json-schema.org/draft/2020-12/vocab/");
    if (!bytes_starts(uri, prefix)) return 0;
    struct bytes name = {uri.p + prefix.n, uri.n - prefix.n};
    if (bytes_equal(name, BYTES("format-assertion"))) *asserts_format_r = true;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (bytes_equal(name, bytes_of(NAMES[i].name))) return NAMES[i].vocabulary;
    return 0;
}

static void warn_unknown(struct schema_compile *c, struct bytes name, unsigned draft)
{
    const char *names[KEYWORD_COUNT + 1];
    size_t n = 0;
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        if (KEYWORDS[i].drafts & draft) names[n++] = KEYWORDS[i].name;
    names[n] = NULL;
    struct bytes copy = arena_copy(c->arena, name);
    const char *near = nearest_name(copy.p, names);
    if (near)
        schema_compile_warn(c, "unknown keyword \"%s\" (did you mean \"%s\"?)", copy.p, near);
    else
        schema_compile_warn(c, "unknown keyword \"%s\"", copy.p);
}

void schema_keywords_warn(struct schema_compile *c, struct bytes name,
                          const struct schema_dialect *dialect)
{
    if (bytes_starts(name, BYTES("x-")) || schema_keywords_find(name, dialect)) return;
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        if (!bytes_equal(name, bytes_of(KEYWORDS[i].name))) continue;
        if (!(KEYWORDS[i].drafts & dialect->draft))
            schema_compile_warn(c, "\"%s\" is no keyword of %s and is ignored", KEYWORDS[i].name,
                                dialect->draft == OLD ? "draft-07" : "2020-12");
        return; /* of a vocabulary that the schema's own metaschema leaves out: as it wanted */
    }
    warn_unknown(c, name, dialect->draft);
}
