/* JSON Schema 2020-12, compiled once, validated with a step budget.
 *
 * This is the everyday subset that tool schemas use: type, enum, const, properties, required,
 * additionalProperties, patternProperties, propertyNames, minProperties, maxProperties, items,
 * prefixItems, minItems, maxItems, uniqueItems, contains, minContains, maxContains, minLength,
 * maxLength (code points), pattern (PCRE2, UTF, with limits), format (annotation unless asserted),
 * minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, allOf, anyOf, oneOf, not,
 * if/then/else, dependentRequired, dependentSchemas, $defs and definitions with local $ref ("#",
 * "#/…"), boolean schemas. Annotations (title, description, default, examples, deprecated,
 * readOnly, writeOnly, $id, $comment, contentEncoding, contentMediaType, contentSchema, enumNames,
 * x-*) are accepted and ignored. Every other keyword is reported. $schema may name 2020-12 or
 * draft-07, which is read by the rules of 2020-12: keywords beside $ref count, and an array of
 * items is an error that says what to write instead. Any other dialect is an error.
 *
 * A schema comes from a script's author, a value from a client, and neither is trusted with our
 * time: references are never fetched (2026-07-28 basic, "$ref Resolution"), and a validation has
 * budgets for steps, depth and matching ("Composition-Keyword Resource Use").
 *
 *   text ─ schema_compile.c (walk, table of keywords; schema_operands.c their values)
 *        → schema_node.h (the compiled form)
 *        → schema_run.c (one validation) ─ schema_{scalars,arrays,objects,combine}.c (the checks)
 *        → schema_reason.c, schema_explain.c (why not, in words)
 *
 * The words of the compiled form are in schema_node.h. To add a keyword: one line in the table of
 * schema_compile.c, and its check beside those of its kind (schema_scalars.c, schema_arrays.c,
 * schema_objects.c, schema_combine.c). */
#ifndef LUNASK_SCHEMA_SCHEMA_H
#define LUNASK_SCHEMA_SCHEMA_H

#include "base/buf.h"
#include "base/error.h"
#include "wire/json.h"

/* Belongs to one thread: patterns keep their scratch memory in it. */
struct schema;

/* email, uri, date, date-time are checked, not just noted: for forms, where a person can mend what
 * was typed. By 2020-12 a format is an annotation unless somebody asks (validation, 7.2.1), so the
 * arguments of tools are not held to it. */
enum { SCHEMA_ASSERT_FORMAT = 1 };

/* Compiles `root`, copying what it needs (the text may go). Unknown keywords are added to
 * `warnings`, one line each, as "/properties/topic: unknown keyword \"maxlength\" (did you mean
 * \"maxLength\"?)", as are names that are required and not described; the root's path is "/";
 * `warnings` may be NULL. Returns owned; or NULL with `error` naming the place and the fault
 * ("/properties/topic/minLength: must be a non-negative integer"). */
struct schema *schema_compile(const struct json *root, int flags, struct buf *warnings,
                              struct error *error);
void schema_free(struct schema *s);

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
 * value allocates nothing, save for uniqueItems of more than 16 items. */
bool schema_valid(const struct schema *s, const struct json *value, const char *name,
                  struct buf *reasons);

#endif
