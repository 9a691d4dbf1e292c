/* Numbers that are JSON but no double, such as 1e400. RFC 8259, 6 leaves such limits to us: what
 * passes a number on as text takes any, but a script must not be given an infinity for one. */
#ifndef LUNASK_SCHEMA_SCHEMA_RANGE_H
#define LUNASK_SCHEMA_SCHEMA_RANGE_H

#include "base/buf.h"
#include "wire/json.h"

/* Returns true if every number of `value`, at any depth, is within the doubles. If not, adds the
 * reason for the first that is beyond: "items[2].n must be a number up to 1.8e308, not 1e400".
 * `name` stands for the root as with schema_valid; `reasons` may be NULL. */
bool schema_range_valid(const struct json *value, const char *name, struct buf *reasons);

#endif
