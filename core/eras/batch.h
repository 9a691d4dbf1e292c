/* JSON-RPC batches, which 2025-03-26 alone has: several messages in one POST, their replies in one
 * array. A request in a batch has no stream of its own, so it can't ask. */
#ifndef LUNASK_ERAS_BATCH_H
#define LUNASK_ERAS_BATCH_H

#include "call/exchange.h"

/* Hands each element of the array to `post` in an exchange of its own, and replies to `x` once all
 * of them have ended: with the array of replies, or 202 when there were only notifications and
 * responses. An empty array is refused. */
void batch_post(struct exchange *x, const struct json *array,
                void (*post)(struct exchange *x, const struct json *message));

#endif
