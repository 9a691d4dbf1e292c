/* MCP 2026-07-28: every request stands alone, and a question ends its reply.
 *
 * The host keeps nothing of a waiting call. The journal goes to the client as requestState, sealed
 * to the method, the tool, the arguments, the principal, the server's name and a time; with the
 * retry it comes back, the answers in inputResponses are put to its open questions, and the handler
 * runs again from the top.
 *
 * What is checked of a message, in this order, each with the error that MCP gives it:
 *
 *   kind       a response can't be posted                     -32600/400
 *   version    _meta has it; a header does not contradict     -32602/400, -32020/400
 *              the host speaks it                             -32022/400
 *   client     _meta has its capabilities                     -32602/400
 *   headers    those required are there and match the body    -32020/400
 *   method     there is one of that name                      -32601/404
 *
 * The version comes before the rest of _meta, because what else there has to be depends on it. */
#ifndef LUNASK_ERAS_MODERN_H
#define LUNASK_ERAS_MODERN_H

#include "call/era.h"

extern const struct era MODERN;

/* Handles a message (x->message) whose body or header names this era. Replies at once, or hands the
 * exchange to a call that will. */
void modern_feed(struct exchange *x);

/* True if the message cancels a request of this era on the same channel: such a notification need
 * not say which era it is of. */
bool modern_is_cancellation(struct exchange *x, const struct json *root);

#endif
