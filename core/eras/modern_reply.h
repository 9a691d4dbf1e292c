/* How a modern result is dressed: resultType, serverInfo, caching hints.
 *
 *   {"resultType":"complete","ttlMs":0,"cacheScope":"public", …fields…, "_meta":{serverInfo, …}}
 *
 * resultType is required (2026-07-28 basic, "ResultType"), serverInfo a SHOULD, the hints a MUST on
 * the complete results that server/utilities/caching lists and on no others. "public", as lists are
 * the same for everybody: no script can make them depend on who asks. */
#ifndef LUNASK_ERAS_MODERN_REPLY_H
#define LUNASK_ERAS_MODERN_REPLY_H

#include "call/era.h"

/* Sends a result of the type "complete". */
void modern_reply_result(struct exchange *x, const struct result *result);

/* Sends a result of another type, such as "input_required". */
void modern_reply_typed(struct exchange *x, const char *type, const struct result *result);

#endif
