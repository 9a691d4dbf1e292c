/* How a modern result is dressed: resultType, serverInfo, caching hints. */
#ifndef LUNASK_ERAS_MODERN_REPLY_H
#define LUNASK_ERAS_MODERN_REPLY_H

#include "call/era.h"

/* Sends a result of the type "complete". */
void modern_reply_result(struct exchange *x, const struct result *result);

/* Sends a result of another type. */
void modern_reply_typed(struct exchange *x, const char *type, const struct result *result);

#endif
