/* Where references lead: the documents of one compilation, the resources in them, their names.
 *
 * Words. **document**: a text that was handed to us: the schema itself, a known one, a metaschema.
 * **resource**: what an "$id" names, with all inside it that has no "$id" of its own; the root of a
 * document is one in any case. **anchor**: a name for a place in a resource ("$anchor",
 * "$dynamicAnchor", in draft-07 an "$id" of "#name"). **dialect**: which keywords count.
 *
 *   document ─ root ─ resource "https://example.org/a"
 *                       └ /$defs/b: resource "https://example.org/b" ─ anchor "item"
 *
 * A document is looked through once, before any of it is compiled, and only where a subschema may
 * stand: an "$id" in an "enum" is data. At most 1000 names a compilation; all is in the arena. */
#ifndef LUNASK_SCHEMA_SCHEMA_DOCUMENT_H
#define LUNASK_SCHEMA_SCHEMA_DOCUMENT_H

#include "wire/json.h"

struct schema_compile;
struct schema_node;

struct schema_dialect {
    unsigned draft;        /* SCHEMA_DRAFT_2020_12 or SCHEMA_DRAFT_07 */
    unsigned vocabularies; /* of 2020-12: SCHEMA_VOCABULARY_* of schema_keywords.h */
    bool asserts_format;   /* by vocabulary, whatever the caller wants */
};

struct schema_anchor {
    struct bytes name;
    const struct json *cell;
    const struct schema_node *node; /* of a dynamic one, once its document is loaded */
    bool dynamic;
    struct schema_anchor *next;
};

struct schema_resource {
    struct bytes uri; /* without a fragment; empty at the root of a schema without "$id" */
    const struct json *cell;
    struct schema_dialect dialect;
    struct schema_anchor *anchors;
    struct schema_resource *earlier; /* in the same document */
};

struct schema_document {
    struct bytes uri; /* that it was asked for by */
    const struct json *root;
    struct schema_node **nodes;        /* by cell, NULL where there is none */
    struct schema_resource *resources; /* the last in the text first; never empty */
    struct schema_document *next;
};

/* What a reference was found to name. */
struct schema_target {
    const struct json *cell;
    const struct schema_anchor *anchor; /* NULL if it was none that named it */
};

/* Adds a document whose tape the schema owns, and looks it through. Returns NULL with the error. */
struct schema_document *schema_document_add(struct schema_compile *c, struct bytes uri,
                                            const struct json *root);

/* Returns the document that `cell` is of. */
struct schema_document *schema_document_of(const struct schema_compile *c, const struct json *cell);

/* Returns the innermost resource of a document that `cell` is in. */
const struct schema_resource *schema_document_resource(const struct schema_document *document,
                                                       const struct json *cell);

/* Finds what the string `reference` names, as written in `from`, loading a known document where it
 * must. Returns 0, or -1 with the error at `reference`. */
int schema_document_find(struct schema_compile *c, const struct schema_resource *from,
                         const struct json *reference, struct schema_target *target_r);

/* Reads the value of "$schema". Returns 0, or -1 with the error if the dialect isn't known. */
int schema_document_dialect(struct schema_compile *c, const struct json *value,
                            struct schema_dialect *dialect_r);

#endif
