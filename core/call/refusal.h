/* The words that say no: how a request that can't be fulfilled is answered, by what it was for.
 *
 *   tool               a result that is an error (isError), for the model to read
 *   prompt             -32602 where the handler refused, -32603 where it failed
 *   resource           "Resource not found" where the handler had none, -32603 where it failed
 *
 * 2026-07-28 server/tools, server/prompts and server/resources, "Error Handling". */
#ifndef LUNASK_CALL_REFUSAL_H
#define LUNASK_CALL_REFUSAL_H

#include "call/exchange.h"
#include "script/offer.h"

/* A tool's result with isError. */
void refusal_result(struct exchange *x, struct bytes text);

/* The handler failed, or was stopped: `text` is what may be told of it. */
void refusal_failed(struct exchange *x, enum offer_kind kind, struct bytes text);

/* The handler returned nil and maybe a reason. Not for tools. */
void refusal_refused(struct exchange *x, enum offer_kind kind, struct bytes reason);

/* There is no resource of the request's URI: -32602 (modern) or -32002 (legacy), with the URI as
 * data.uri. `reason` may be empty. */
void refusal_no_resource(struct exchange *x, struct bytes reason);

#endif
