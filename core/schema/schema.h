/* JSON Schema 2020-12, compiled once, validated with a step budget.
 *
 * This is the everyday subset that tool schemas use: type, enum, const, properties, required,
 * additionalProperties, patternProperties, propertyNames, minProperties, maxProperties, items,
 * prefixItems, minItems, maxItems, uniqueItems, contains, minLength, maxLength (code points),
 * pattern (PCRE2, UTF, with match and depth limits), format (annotation unless asserted), minimum,
 * maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, allOf, anyOf, oneOf, not, if/then/else,
 * dependentRequired, $defs with local $ref ("#", "#/…"), boolean schemas. Annotations (title,
 * description, default, examples, deprecated, readOnly, writeOnly, $schema, $id, $comment,
 * contentEncoding, contentMediaType, enumNames, x-*) are accepted and ignored. Every other keyword
 * is reported.
 *
 * To add a keyword: one line in the table of its kind (schema_compile.c) and its check. */
#ifndef LUNASK_SCHEMA_SCHEMA_H
#define LUNASK_SCHEMA_SCHEMA_H

#include "base/buf.h"
#include "base/error.h"
#include "wire/json.h"

struct schema;

enum { SCHEMA_ASSERT_FORMAT = 1 }; /* email, uri, date, date-time are checked, not just noted */

/* Compiles `root`, copying what it needs (the text may go). Unknown keywords are added to
 * `warnings`, one line each, as "/properties/topic: unknown keyword \"maxlength\" (did you mean
 * \"maxLength\"?)"; `warnings` may be NULL. Returns owned; or NULL with `error` naming the place
 * and the fault ("/properties/topic/minLength: must be a non-negative integer"). */
struct schema *schema_compile(const struct json *root, int flags, struct buf *warnings,
                              struct error *error);
void schema_free(struct schema *s);

/* Checks `value`. Returns true if it is valid. If not, adds to `reasons` one reason for a person or
 * a model, at most 8, separated by "; ", each opening with the path of the value:
 *   topic must be at most 120 characters long
 *   items[2].price must be a number, not a string
 *   topic is missing
 *   colour must be one of "red", "green" (with the value quoted when short)
 * `name` stands for the root in a path that would be empty ("arguments"). `reasons` may be NULL.
 * More than 100,000 steps is a reason of its own and invalid. */
bool schema_valid(const struct schema *s, const struct json *value, const char *name,
                  struct buf *reasons);

#endif
