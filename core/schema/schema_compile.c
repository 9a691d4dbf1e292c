#include "schema/schema_compile.h"

#include "base/nearest.h"
#include "schema/schema_keywords.h"
#include "schema/schema_pattern.h"
#include "schema/schema_scalars.h"

#include <stdarg.h>
#include <stdio.h>

int schema_compile_fault(struct schema_compile *c, const struct json *at, const char *fault)
{
    struct buf where = {0};
    const struct schema_document *document = schema_document_of(c, at);
    buf_add(&where, document->uri);
    schema_node_pointer(document->root, at, &where);
    error_set(c->error, "%s: %s", where.n ? buf_text(&where) : "the schema itself", fault);
    buf_free(&where);
    return -1;
}

void schema_compile_warn(struct schema_compile *c, const char *format, ...)
{
    char text[512];
    const struct json *root = c->documents->root, *at = c->node->cell;
    if (!c->warnings) return;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (at == root) buf_addc(c->warnings, '/');
    schema_node_pointer(root, at, c->warnings);
    buf_addz(c->warnings, ": ");
    buf_addz(c->warnings, text);
    buf_addc(c->warnings, '\n');
}

const struct schema_node *schema_compile_node(struct schema_compile *c, const struct json *cell)
{
    const struct schema_document *document = schema_document_of(c, cell);
    struct schema_node **node = &document->nodes[cell - document->root];
    /* Referred to before, or being compiled further up: a cycle closes here. */
    if (*node) return *node;
    if (cell->type != JSON_OBJECT && cell->type != JSON_TRUE && cell->type != JSON_FALSE) {
        schema_compile_fault(c, cell, "must be a schema: an object or a boolean");
        return NULL;
    }
    *node = arena_zalloc(c->arena, sizeof **node);
    (*node)->cell = cell;
    (*node)->resource = schema_document_resource(document, cell);
    (*node)->never = cell->type == JSON_FALSE;
    *c->queue_end = *node;
    c->queue_end = &(*node)->queued;
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
static int compile_keyword(struct schema_compile *c, const struct schema_keyword *keyword,
                           const struct json *value)
{
    struct schema_node *node = c->node;
    struct schema_check *check = &node->checks[node->count];
    *check = (struct schema_check){.run = keyword->run, .value = value};
    check->decisive = keyword->decisive;
    if (!keyword->operand) return 0;
    if (keyword->operand(c, check, value) < 0) return -1;
    /* For explaining alternatives: which of them the value's type leaves over. */
    if (keyword->run == schema_scalars_type) node->types = check->of.types;
    node->count += check->run != NULL;
    return 0;
}

/* In draft-07 nothing that stands beside a "$ref" counts (core, 8.3). */
static bool is_hidden(const struct schema_node *node, const struct schema_keyword *keyword)
{
    if (node->resource->dialect.draft != SCHEMA_DRAFT_07) return false;
    return json_get(node->cell, "$ref") && !bytes_equal(bytes_of(keyword->name), BYTES("$ref"));
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
    const struct schema_dialect *dialect = &node->resource->dialect;
    if (cell->type != JSON_OBJECT) return 0;
    node->checks = arena_alloc(c->arena, (cell->count + 1) * sizeof *node->checks);
    c->node = node;
    bool ours = c->warnings && schema_document_of(c, cell) == c->documents;
    for (const struct json *key = json_first(cell); key && ours; key = json_next(cell, key))
        schema_keywords_warn(c, key->text, dialect);
    if (ours) warn_required(c, cell);
    size_t count;
    const struct schema_keyword *keywords = schema_keywords_all(&count);
    for (size_t i = 0; i < count; i++) {
        const struct json *value = json_get(cell, keywords[i].name);
        if (!value || !schema_keywords_counts(&keywords[i], dialect)) continue;
        if (is_hidden(node, &keywords[i])) continue;
        if (compile_keyword(c, &keywords[i], value) < 0) return -1;
    }
    return 0;
}

const struct json *schema_compile_copy(struct arena *arena, const struct json *root,
                                       struct error *error)
{
    struct json_limits limits = {JSON_LIMITS.depth, root->span};
    struct json_error why;
    const struct json *copy = json_parse(arena, arena_copy(arena, root->raw), &limits, &why);
    if (!copy) error_set(error, "the schema itself: %s", why.reason);
    return copy;
}

const struct schema_node *schema_compile_root(struct schema_compile *c, const struct json *root)
{
    c->queue_end = &c->queue;
    c->dialect = schema_keywords_dialect(SCHEMA_DRAFT_2020_12);
    const struct json *copy = schema_compile_copy(c->arena, root, c->error);
    if (!copy || !schema_document_add(c, BYTES(""), copy)) return NULL;
    const struct schema_node *node = schema_compile_node(c, copy);
    if (!node) return NULL;
    for (struct schema_node *next = c->queue; next; next = next->queued)
        if (fill_in(c, next) < 0) return NULL;
    return node;
}
