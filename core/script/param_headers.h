/* The parameters of a tool that clients repeat in HTTP headers: x-mcp-header in its inputSchema
 * (2026-07-28 transports/streamable-http, "Custom Headers from Tool Parameters"). */
#ifndef LUNASK_SCRIPT_PARAM_HEADERS_H
#define LUNASK_SCRIPT_PARAM_HEADERS_H

#include "base/arena.h"
#include "base/error.h"
#include "wire/json.h"

/* One such parameter, in the order of the schema. */
struct param_header {
    struct param_header *next;
    struct bytes name;  /* the whole header's: "Mcp-Param-Region" */
    struct bytes *path; /* the chain of members that leads to its value in the arguments */
    size_t depth;
};

/* Reads the annotations of `schema` into *first_r, in `arena`. Returns 0; or -1 with `error` saying
 * where one is not allowed: a name that is no token (RFC 9110, 5.6.2) or comes twice whatever its
 * case; a type other than string, integer and boolean (or null beside them); a place that is not
 * reached from the root by `properties` alone. */
int param_headers_read(const struct json *schema, struct arena *arena,
                       struct param_header **first_r, struct error *error);

/* Returns the value of the parameter in `arguments`, or NULL: absent, or null. */
const struct json *param_headers_value(const struct param_header *h, const struct json *arguments);

#endif
