/* What a form may ask: elicitation's requestedSchema is a flat object of primitive fields.
 *
 * Checked before the question goes out, so that a script's author learns of a form that no client
 * can show, and not the person in front of it. Checking the answer is schema.h's: compile the same
 * schema with SCHEMA_ASSERT_FORMAT. */
#ifndef LUNASK_SCHEMA_FORM_H
#define LUNASK_SCHEMA_FORM_H

#include "base/error.h"
#include "wire/json.h"

/* Checks that `schema` is what MCP allows in form mode (2026-07-28 client/elicitation, "Requested
 * Schema", and ElicitRequestFormParams of the schema): type "object", and `properties` that are
 * each
 *
 *   string           minLength, maxLength, pattern, format email|uri|date|date-time
 *                    or enum, with legacy enumNames; or oneOf of {const, title}
 *   number, integer  minimum, maximum
 *   boolean
 *   array            of an enum of strings: items.enum, or items.anyOf of {const, title};
 *                    minItems, maxItems
 *
 * all of them with title, description and default; `required` may name declared properties only,
 * $schema is allowed beside them. Defaults must fit their own field. Returns 0, or -1 with an error
 * such as
 *   requestedSchema.properties.address: type "object" can't be asked; a form is flat: string,
 *   number, integer, boolean, or an array of an enum */
int form_check(const struct json *schema, struct error *error);

#endif
