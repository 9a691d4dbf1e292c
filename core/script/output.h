/* The structured results of tools: whether they are what the tool's outputSchema says, and what of
 * them the legacy versions can take. */
#ifndef LUNASK_SCRIPT_OUTPUT_H
#define LUNASK_SCRIPT_OUTPUT_H

#include "script/offer.h"

/* Checks the members of a result ("content":[…],"structuredContent":…) of a tool that has an
 * outputSchema: it MUST conform (2026-07-28 server/tools, "Output Schema"), and so must be there.
 * Returns true, or false with the reasons added. */
bool output_fits(const struct offer *tool, struct bytes fields, struct buf *reasons);

/* Structured content is an object, and an outputSchema one of an object, in all versions before
 * 2026-07-28. Returns true if the schema is not. */
bool output_is_modern(const struct json *tool);

/* Adds the members of an object, given with or without its braces, but for `name`; in braces if
 * they were given. */
void output_without(struct bytes members, const char *name, struct buf *out);

#endif
