#include "schema/schema_document.h"

#include "schema/schema_compile.h"
#include "schema/schema_keywords.h"
#include "schema/schema_metaschema.h"
#include "schema/schema_uri.h"

enum { MOST_NAMES = 1000 };

struct schema_document *schema_document_of(const struct schema_compile *c, const struct json *cell)
{
    struct schema_document *d = c->documents;
    while (d->next && (cell < d->root || cell >= d->root + d->root->span))
        d = d->next;
    return d;
}

const struct schema_resource *schema_document_resource(const struct schema_document *document,
                                                       const struct json *cell)
{
    /* Of those that hold the cell, the one that begins last is the innermost. */
    const struct schema_resource *r = document->resources;
    while (r->earlier && (cell < r->cell || cell >= r->cell + r->cell->span))
        r = r->earlier;
    return r;
}

static int count_name(struct schema_compile *c, const struct json *value)
{
    if (++c->names <= MOST_NAMES) return 0;
    return schema_compile_fault(c, value, "is one name too many: at most 1000 of $id and $anchor");
}

static int add_anchor(struct schema_compile *c, struct schema_resource *r, const struct json *cell,
                      const struct json *value, bool dynamic)
{
    struct bytes name = json_string(value);
    if (count_name(c, value) < 0) return -1;
    if (name.n && name.p[0] == '#') name = (struct bytes){name.p + 1, name.n - 1};
    struct schema_anchor *anchor = arena_zalloc(c->arena, sizeof *anchor);
    *anchor = (struct schema_anchor){name, cell, NULL, dynamic, r->anchors};
    r->anchors = anchor;
    return 0;
}

static struct schema_resource *add_resource(struct schema_compile *c, struct schema_document *d,
                                            const struct schema_resource *outer,
                                            const struct json *cell)
{
    struct schema_resource *r = arena_zalloc(c->arena, sizeof *r);
    struct bytes id = json_string(json_get(cell, "$id"));
    const struct json *named = json_get(cell, "$schema");
    r->cell = cell;
    r->dialect = outer ? outer->dialect : c->dialect;
    r->uri = schema_uri_resolve(c->arena, outer ? outer->uri : d->uri, id);
    r->earlier = d->resources;
    if (named && schema_document_dialect(c, named, &r->dialect) < 0) return NULL;
    d->resources = r;
    return r;
}

/* In draft-07 nothing beside a "$ref" counts, and "#name" is an anchor (core, 8.2.3, 8.3). */
static bool is_resource(const struct json *cell, const struct schema_dialect *dialect)
{
    struct bytes id = json_string(json_get(cell, "$id"));
    if (id.n == 0 || id.p[0] == '#') return false;
    return dialect->draft != SCHEMA_DRAFT_07 || !json_get(cell, "$ref");
}

static int scan_anchors(struct schema_compile *c, struct schema_resource *r,
                        const struct json *cell)
{
    if (r->dialect.draft == SCHEMA_DRAFT_07) {
        const struct json *id = json_get(cell, "$id");
        if (json_string(id).n == 0 || id->text.p[0] != '#' || json_get(cell, "$ref")) return 0;
        return add_anchor(c, r, cell, id, false);
    }
    const struct json *anchor = json_get(cell, "$anchor");
    const struct json *dynamic = json_get(cell, "$dynamicAnchor");
    if (json_is(anchor, JSON_STRING) && add_anchor(c, r, cell, anchor, false) < 0) return -1;
    if (json_is(dynamic, JSON_STRING) && add_anchor(c, r, cell, dynamic, true) < 0) return -1;
    return 0;
}

/* Recurses as deep as the text, 64 at most. */
static int scan(struct schema_compile *c, struct schema_document *d, struct schema_resource *outer,
                const struct json *cell);

/* Looks through what a keyword holds: a schema, a list of them, or (`map`) schemas by name. */
static int scan_value(struct schema_compile *c, struct schema_document *d,
                      struct schema_resource *r, const struct json *value, bool map)
{
    if (json_is(value, JSON_OBJECT) && !map) return scan(c, d, r, value);
    if (!json_is(value, map ? JSON_OBJECT : JSON_ARRAY)) return 0;
    for (const struct json *e = json_first(value); e; e = json_next(value, e))
        if (scan(c, d, r, map ? json_value(e) : e) < 0) return -1;
    return 0;
}

static int scan(struct schema_compile *c, struct schema_document *d, struct schema_resource *outer,
                const struct json *cell)
{
    struct schema_resource *r = outer;
    if (cell->type != JSON_OBJECT) return 0;
    if (is_resource(cell, &outer->dialect) && cell != d->root) {
        if (count_name(c, json_get(cell, "$id")) < 0) return -1;
        r = add_resource(c, d, outer, cell);
        if (!r) return -1;
    }
    if (scan_anchors(c, r, cell) < 0) return -1;
    for (const struct json *key = json_first(cell); key; key = json_next(cell, key)) {
        const struct schema_keyword *keyword = schema_keywords_find(key->text, &r->dialect);
        if (!keyword || keyword->shape == SCHEMA_SHAPE_OTHER) continue;
        if (scan_value(c, d, r, json_value(key), keyword->shape == SCHEMA_SHAPE_MAP) < 0) return -1;
    }
    return 0;
}

/* Any of them may be what a "$dynamicRef" means, so all are compiled. */
static int compile_dynamic(struct schema_compile *c, const struct schema_document *d)
{
    for (struct schema_resource *r = d->resources; r; r = r->earlier)
        for (struct schema_anchor *a = r->anchors; a; a = a->next)
            if (a->dynamic && !(a->node = schema_compile_node(c, a->cell))) return -1;
    return 0;
}

struct schema_document *schema_document_add(struct schema_compile *c, struct bytes uri,
                                            const struct json *root)
{
    struct schema_document *d = arena_zalloc(c->arena, sizeof *d), **last = &c->documents;
    *d = (struct schema_document){.uri = uri, .root = root};
    d->nodes = arena_zalloc(c->arena, root->span * sizeof(struct schema_node *));
    while (*last)
        last = &(*last)->next;
    *last = d;
    struct schema_resource *r = add_resource(c, d, NULL, root);
    if (!r || scan(c, d, r, root) < 0 || compile_dynamic(c, d) < 0) return NULL;
    return d;
}

static struct schema_document *load(struct schema_compile *c, struct bytes uri)
{
    const struct json *root = schema_metaschema_find(c->arena, uri);
    for (size_t i = 0; i < c->known_count && !root; i++)
        if (bytes_equal(c->known[i].uri, uri))
            root = schema_compile_copy(c->arena, c->known[i].root, c->error);
    return root ? schema_document_add(c, arena_copy(c->arena, uri), root) : NULL;
}

/* Returns the resource of that name, or NULL; its document is loaded if it is a known one. */
static const struct schema_resource *find_resource(struct schema_compile *c, struct bytes uri)
{
    for (struct schema_document *d = c->documents; d; d = d->next)
        for (struct schema_resource *r = d->resources; r; r = r->earlier)
            if (bytes_equal(r->uri, uri) || (d->uri.n && !r->earlier && bytes_equal(d->uri, uri)))
                return r;
    struct schema_document *d = load(c, uri);
    return d ? schema_document_resource(d, d->root) : NULL;
}

static const struct schema_anchor *find_anchor(const struct schema_resource *r, struct bytes name)
{
    const struct schema_anchor *a = r->anchors;
    while (a && !bytes_equal(a->name, name))
        a = a->next;
    return a;
}

int schema_document_find(struct schema_compile *c, const struct schema_resource *from,
                         const struct json *reference, struct schema_target *target_r)
{
    struct bytes text = json_string(reference), fragment = schema_uri_fragment(text);
    const struct schema_resource *r = from;
    c->error->text[0] = '\0';
    c->dialect = from->dialect; /* what is read for a schema is read as that schema is */
    if (text.n && text.p[0] != '#')
        r = find_resource(c, schema_uri_resolve(c->arena, from->uri, text));
    if (!r && c->error->text[0]) return -1; /* a known document is broken */
    /* A server that fetches what a schema names can be made to fetch (2026-07-28 basic, "$ref
     * Resolution": MUST NOT). Refusing beats taking it for a schema that allows everything. */
    if (!r)
        return schema_compile_fault(c, reference,
                                    "references to other documents aren't fetched; copy what is "
                                    "needed into \"$defs\" and refer to it as \"#/$defs/NAME\"");
    *target_r = (struct schema_target){r->cell, NULL};
    if (fragment.n == 0 || fragment.p[0] == '/') {
        target_r->cell = schema_node_find(r->cell, fragment);
    } else {
        target_r->anchor = find_anchor(r, fragment);
        target_r->cell = target_r->anchor ? target_r->anchor->cell : NULL;
    }
    if (target_r->cell) return 0;
    return schema_compile_fault(
        c, reference, "refers to nothing in this schema; write \"#\" or \"#/path/to/it\"");
}

/* Reads "$vocabulary" of a metaschema. Without one it is a metaschema as any. */
static int read_vocabularies(struct schema_compile *c, const struct json *metaschema,
                             const struct json *value, struct schema_dialect *dialect_r)
{
    const struct json *wanted = json_get(metaschema, "$vocabulary");
    *dialect_r = schema_keywords_dialect(SCHEMA_DRAFT_2020_12);
    if (!wanted) return 0;
    dialect_r->vocabularies = 0;
    for (const struct json *key = json_first(wanted); key; key = json_next(wanted, key)) {
        unsigned vocabulary = schema_keywords_vocabulary(key->text, &dialect_r->asserts_format);
        if (!vocabulary && json_true(json_value(key)))
            return schema_compile_fault(c, value,
                                        "names a metaschema that needs a vocabulary not "
                                        "known here");
        dialect_r->vocabularies |= vocabulary;
    }
    return 0;
}

/* By name and not by fetching. An empty fragment is part of draft-07's name and of no other's, but
 * is written with both. MCP wants 2020-12 where none is named, and an error for those not known
 * (2026-07-28 basic, "Schema Dialect"). */
int schema_document_dialect(struct schema_compile *c, const struct json *value,
                            struct schema_dialect *dialect_r)
{
    struct bytes name = json_string(value);
    if (name.n && name.p[name.n - 1] == '#') name.n--;
    for (size_t i = 0; i < c->known_count; i++)
        if (bytes_equal(name, c->known[i].uri))
            return read_vocabularies(c, c->known[i].root, value, dialect_r);
    unsigned draft = schema_keywords_draft(name);
    if (!draft)
        return schema_compile_fault(c, value,
                                    "must be \"https://json-schema.org/draft/2020-12/schema\" or "
                                    "\"http://json-schema.org/draft-07/schema#\", the dialects "
                                    "known here");
    *dialect_r = schema_keywords_dialect(draft);
    return 0;
}
