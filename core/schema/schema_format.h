/* The formats that can be asserted (JSON Schema 2020-12 validation, 7.3). */
#ifndef LUNASK_SCHEMA_SCHEMA_FORMAT_H
#define LUNASK_SCHEMA_SCHEMA_FORMAT_H

#include "base/bytes.h"

struct schema_format {
    const char *name;
    bool (*valid)(struct bytes text);
    const char *wanted; /* "a date such as 2026-11-30": follows "must be " */
};

/* Returns the format `name`, or NULL for one that is not asserted:
 *   email      RFC 5321 Mailbox, ASCII: dot-atom or quoted string, @, domain or address literal
 *   uri        RFC 3986 URI, so with a scheme
 *   date       RFC 3339 full-date, a day the calendar has
 *   date-time  RFC 3339 date-time; second 60 only where it is 23:59:60 in UTC
 *   time       RFC 3339 full-time, likewise
 *   ipv4, ipv6, uuid (RFC 9562), json-pointer (RFC 6901)
 * The first four are what a form of MCP may ask for (2026-07-28 client/elicitation, "Requested
 * Schema").
 *
 * To add one: a function and a line in the table at the end of schema_format.c. */
const struct schema_format *schema_format_find(struct bytes name);

#endif
