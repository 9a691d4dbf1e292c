/* From the text of a schema to its nodes: the walk.
 *
 * The walk does not recurse: asking for the node of a cell queues it, so a cycle of $ref costs no
 * more than a line does, and what nobody refers to (a "default" that looks like a schema) is never
 * read as one.
 *
 *   schema_compile_root   queue: [root]
 *     for each node queued: for each keyword of the table (schema_keywords.h) that it has: its
 *       operand function, which may ask for nodes of cells below or elsewhere → queue: [root, …] */
#ifndef LUNASK_SCHEMA_SCHEMA_COMPILE_H
#define LUNASK_SCHEMA_SCHEMA_COMPILE_H

#include "base/error.h"
#include "schema/schema.h"
#include "schema/schema_document.h"
#include "schema/schema_node.h"

/* What schema_free frees; the rest is in the arena. */
struct schema_compile_pattern {
    struct schema_pattern *pattern;
    struct schema_compile_pattern *next;
};

struct schema_compile {
    struct arena *arena;
    const struct schema_known *known; /* that references may lead to beside the metaschemas */
    size_t known_count;
    struct schema_document *documents; /* the schema's own first */
    struct schema_dialect dialect;     /* of a document that names none */
    unsigned names;                    /* of resources and anchors, so far */
    struct schema_node *queue;         /* the nodes to be filled in, in this order */
    struct schema_node **queue_end;    /* where the next one is put */
    bool assert_format;
    struct schema_compile_pattern *patterns;
    struct buf *warnings;     /* may be NULL */
    struct error *error;      /* the first fault: compiling ends there */
    struct schema_node *node; /* being filled in, for keywords that look aside */
};

/* Compiles all that hangs off `root`; the caller has filled in the arena, what is known, the
 * warnings and the error. Returns the root's node, or NULL with the error. c->patterns is filled in
 * either way. */
const struct schema_node *schema_compile_root(struct schema_compile *c, const struct json *root);

/* Parses the text of `root` again into the schema's own arena, so that nothing points outside.
 * Returns NULL with the error. */
const struct json *schema_compile_copy(struct arena *arena, const struct json *root,
                                       struct error *error);

/* Returns the node of a subschema; it is filled in by the end of the walk. NULL, with the error, if
 * `cell` is neither object nor boolean. */
const struct schema_node *schema_compile_node(struct schema_compile *c, const struct json *cell);

/* Compiles a pattern, to be freed with the schema. NULL with the error naming `at`. */
struct schema_pattern *schema_compile_regex(struct schema_compile *c, struct bytes text,
                                            const struct json *at);

/* Fills in the error: the pointer of `at`, and the fault in words. Returns -1. */
int schema_compile_fault(struct schema_compile *c, const struct json *at, const char *fault);

/* Adds a line to the warnings: the pointer of the schema being compiled, and the words. */
void schema_compile_warn(struct schema_compile *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
