/* What a form may ask: elicitation's requestedSchema is a flat object of primitive fields. */
#ifndef LUNASK_SCHEMA_FORM_H
#define LUNASK_SCHEMA_FORM_H

#include "base/error.h"
#include "wire/json.h"

/* Checks that `schema` is what MCP allows in form mode (2026-07-28 client/elicitation, "Requested
 * Schema", and ElicitRequestFormParams of the schema): type "object", `properties` whose entries
 * are string  (title, description, minLength, maxLength, pattern, format email|uri|date|date-time,
 *            default; or enum, with legacy enumNames; or oneOf of {const, title})
 *   number, integer (title, description, minimum, maximum, default)
 *   boolean (title, description, default)
 *   array   of an enum of strings (items.enum, or items.anyOf of {const, title}; minItems,
 * maxItems, default, title, description) and `required` naming declared properties only; $schema is
 * allowed beside them. Defaults must fit their own field. Returns 0, or -1 with an error such as
 *   requestedSchema.properties.address: type "object" can't be asked; a form is flat: string,
 *   number, integer, boolean, or an array of an enum
 */
int form_check(const struct json *schema, struct error *error);

#endif
