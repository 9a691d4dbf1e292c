/* JSON Schema 2020-12, compiled once, validated with a step budget; draft-07 in a schema whose
 * "$schema" says so.
 *
 * All keywords of both count, "dependencies" and "definitions" in 2020-12 too. A format is an
 * annotation unless asserted. Annotations (title, description, default, examples, deprecated,
 * readOnly, writeOnly, $comment, contentEncoding, contentMediaType, contentSchema; enumNames, x-*)
 * are accepted and ignored. Every other member of a schema is reported. $schema may name the two
 * dialects, or one that the caller knows; any other is an error.
 *
 * A schema comes from a script's author, a value from a client, and neither is trusted with our
 * time. A reference leads to a place in the schema, to a metaschema or to what the caller knows,
 * and is never fetched (2026-07-28 basic, "$ref Resolution"); a validation has budgets for steps,
 * depth and matching ("Composition-Keyword Resource Use").
 *
 *   text ─ schema_document.c (where references lead; schema_uri.c, schema_metaschema.c)
 *        → schema_compile.c (the walk) ─ schema_keywords.c (which keywords; schema_operands.c their
 *          values)
 *        → schema_node.h (the compiled form)
 *        → schema_run.c (one validation) ─ schema_{scalars,arrays,objects,combine}.c (the checks)
 *        → schema_reason.c, schema_explain.c (why not, in words)
 *
 * The words of the compiled form are in schema_node.h, how to add a keyword in
 * schema_keywords.h. */
#ifndef LUNASK_SCHEMA_SCHEMA_H
#define LUNASK_SCHEMA_SCHEMA_H

#include "base/buf.h"
#include "base/error.h"
#include "wire/json.h"

/* Belongs to one thread: patterns keep their scratch memory in it. */
struct schema;

/* The formats of schema_format.h are checked, not just noted: for forms, where a person can mend
 * what was typed. By 2020-12 a format is an annotation unless somebody asks (validation, 7.2.1), so
 * the arguments of tools are not held to it. */
enum { SCHEMA_ASSERT_FORMAT = 1 };

/* Compiles `root`, copying what it needs (the text may go). Unknown keywords are added to
 * `warnings`, one line each, as "/properties/topic: unknown keyword \"maxlength\" (did you mean
 * \"maxLength\"?)", as are names that are required and not described; the root's path is "/";
 * `warnings` may be NULL. Returns owned; or NULL with `error` naming the place and the fault
 * ("/properties/topic/minLength: must be a non-negative integer"). */
struct schema *schema_compile(const struct json *root, int flags, struct buf *warnings,
                              struct error *error);
void schema_free(struct schema *s);

/* A document that references may lead to, by the URI it is asked for with. */
struct schema_known {
    struct bytes uri; /* without "#" */
    const struct json *root;
};

/* The same for a schema that refers to documents the caller has: `known`, which are copied where
 * they are referred to. A "$schema" may name one too; its "$vocabulary" then says which keywords
 * count. */
struct schema *schema_compile_among(const struct json *root, int flags,
                                    const struct schema_known *known, size_t known_count,
                                    struct buf *warnings, struct error *error);

/* Checks `value`. Returns true if it is valid. If not, adds to `reasons` one reason for a person or
 * a model, at most 8, separated by "; ", each opening with the path of the value:
 *   topic must be at most 120 characters long
 *   items[2].price must be a number, not a string
 *   topic is missing
 *   colour must be one of "red", "green", not "blue"          (the value only where it is short)
 *   arguments has an unknown property "toppic" (did you mean "topic"?)
 * `name` stands for the root in a path that would be empty ("arguments"). `reasons` may be NULL.
 * More than 100,000 steps, a pattern that takes too long and a schema that refers to itself without
 * end are reasons of their own (beside the 8) and invalid, even under a `not`. Checking a valid
 * value allocates nothing, save for uniqueItems of more than 16 items, and for unevaluatedItems and
 * unevaluatedProperties of large values. */
bool schema_valid(const struct schema *s, const struct json *value, const char *name,
                  struct buf *reasons);

#endif
