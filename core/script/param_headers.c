#include "script/param_headers.h"

#include "base/buf.h"

#include <string.h>
#include <strings.h>

#define KEYWORD "x-mcp-header"

/* Where the walk through a schema is. */
struct place {
    const struct place *outer;
    struct bytes member; /* of the arguments */
    size_t depth;
    bool reachable; /* by properties alone */
};

struct reader {
    struct arena *arena;
    struct param_header **first;
    struct error *error;
};

static int visit(struct reader *r, const struct json *schema, const struct place *at);

static bool is_token(struct bytes name)
{
    static const char OTHERS[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c == '\0' || !strchr(OTHERS, c))) return false;
    }
    return name.n > 0;
}

static bool is_primitive_name(const struct json *type)
{
    struct bytes name = json_string(type);
    return bytes_equal(name, BYTES("string")) || bytes_equal(name, BYTES("integer")) ||
           bytes_equal(name, BYTES("boolean"));
}

/* A list of types may have null beside one of them: then the header is left out. */
static bool is_primitive(const struct json *type)
{
    bool any = is_primitive_name(type);
    if (!json_is(type, JSON_ARRAY)) return any;
    for (const struct json *e = json_first(type); e; e = json_next(type, e)) {
        if (is_primitive_name(e))
            any = true;
        else if (!bytes_equal(json_string(e), BYTES("null")))
            return false;
    }
    return any;
}

/* Adds "inputSchema/properties/a/properties/b" for the message. */
static void write_place(const struct place *at, struct buf *out)
{
    if (!at->outer) {
        buf_addz(out, "inputSchema");
        return;
    }
    write_place(at->outer, out);
    buf_printf(out, "/%.*s", BYTES_ARG(at->member));
}

static int refuse(struct reader *r, const struct place *at, const char *reason)
{
    struct buf where = {0};
    write_place(at, &where);
    error_set(r->error, "%s: " KEYWORD " %s", buf_text(&where), reason);
    buf_free(&where);
    return -1;
}

static struct bytes header_name(struct reader *r, struct bytes suffix)
{
    struct buf name = {0};
    buf_addz(&name, "Mcp-Param-");
    buf_add(&name, suffix);
    struct bytes kept = arena_copy(r->arena, buf_bytes(&name));
    buf_free(&name);
    return kept;
}

static int add(struct reader *r, struct bytes suffix, const struct place *at)
{
    struct param_header **end = r->first;
    struct bytes name = header_name(r, suffix);
    for (; *end; end = &(*end)->next)
        if ((*end)->name.n == name.n && strcasecmp((*end)->name.p, name.p) == 0)
            return refuse(r, at, "has a name that another one has, whatever its case");
    struct param_header *h = arena_zalloc(r->arena, sizeof *h);
    h->name = name;
    h->depth = at->depth;
    h->path = arena_alloc(r->arena, at->depth * sizeof *h->path);
    for (const struct place *p = at; p->outer; p = p->outer)
        if (p->depth > p->outer->depth) h->path[p->depth - 1] = arena_copy(r->arena, p->member);
    *end = h;
    return 0;
}

static int read_annotation(struct reader *r, const struct json *schema, const struct place *at)
{
    const struct json *annotation = json_get(schema, KEYWORD);
    if (!annotation) return 0;
    if (!at->reachable || at->depth == 0)
        return refuse(r, at, "is only for properties that are reached by properties alone");
    if (!json_is(annotation, JSON_STRING) || !is_token(annotation->text))
        return refuse(r, at,
                      "must be the end of a header's name: letters, digits and !#$%&'*+-.^_`|~");
    if (!is_primitive(json_get(schema, "type")))
        return refuse(r, at, "is only for the types string, integer and boolean");
    return add(r, annotation->text, at);
}

/* `schemas` is a keyword's value whose members or elements are schemas. */
static int visit_each(struct reader *r, const struct json *schemas, bool properties,
                      const struct place *at)
{
    bool object = json_is(schemas, JSON_OBJECT);
    if (!object && !json_is(schemas, JSON_ARRAY)) return 0;
    for (const struct json *e = json_first(schemas); e; e = json_next(schemas, e)) {
        struct place inner = {.outer = at,
                              .member = object ? e->text : BYTES("…"),
                              .depth = at->depth + (properties ? 1 : 0),
                              .reachable = at->reachable && properties};
        if (visit(r, object ? json_value(e) : e, &inner) != 0) return -1;
    }
    return 0;
}

static int visit(struct reader *r, const struct json *schema, const struct place *at)
{
    static const char *const one[] = {"additionalProperties",
                                      "contains",
                                      "else",
                                      "if",
                                      "items",
                                      "not",
                                      "propertyNames",
                                      "then",
                                      "unevaluatedItems",
                                      "unevaluatedProperties"};
    static const char *const many[] = {"$defs",
                                       "allOf",
                                       "anyOf",
                                       "definitions",
                                       "dependentSchemas",
                                       "oneOf",
                                       "patternProperties",
                                       "prefixItems",
                                       "items"};
    if (!json_is(schema, JSON_OBJECT)) return 0;
    if (read_annotation(r, schema, at) != 0) return -1;
    if (visit_each(r, json_get(schema, "properties"), true, at) != 0) return -1;
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
        struct place inner = {at, bytes_of(one[i]), at->depth, false};
        if (visit(r, json_get(schema, one[i]), &inner) != 0) return -1;
    }
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++) {
        const struct json *schemas = json_get(schema, many[i]);
        if (strcmp(many[i], "items") == 0 && !json_is(schemas, JSON_ARRAY)) continue;
        if (visit_each(r, schemas, false, at) != 0) return -1;
    }
    return 0;
}

int param_headers_read(const struct json *schema, struct arena *arena,
                       struct param_header **first_r, struct error *error)
{
    struct reader r = {arena, first_r, error};
    const struct place root = {.reachable = true};
    *first_r = NULL;
    return visit(&r, schema, &root);
}

const struct json *param_headers_value(const struct param_header *h, const struct json *arguments)
{
    const struct json *at = arguments;
    for (size_t i = 0; i < h->depth; i++)
        at = json_get_bytes(at, h->path[i]);
    return json_is(at, JSON_NULL) ? NULL : at;
}
