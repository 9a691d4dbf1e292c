/* JSON-RPC batches, which 2025-03-26 alone has (basic/transports, "Sending Messages to the
 * Server"): several messages in one POST, their replies in one array. A request in a batch has no
 * stream of its own, so it can't ask.
 *
 *   outer exchange ─ batch ─┬─ part: an exchange whose channel collects the reply
 *                           └─ part …         the last one to end sends the array to outer
 *
 * The eras and calls see parts as they see any exchange, and need not know of batches. */
#ifndef LUNASK_ERAS_BATCH_H
#define LUNASK_ERAS_BATCH_H

#include "call/exchange.h"

/* Hands each element of the array to `post` in an exchange of its own, and replies to `x` once all
 * of them have ended: with the array of replies, or 202 when there were only notifications and
 * responses. An empty array is refused. */
void batch_post(struct exchange *x, const struct json *array,
                void (*post)(struct exchange *x, const struct json *message));

#endif
