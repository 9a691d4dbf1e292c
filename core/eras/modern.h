/* MCP 2026-07-28: every request stands alone, and a question ends its reply.
 *
 * The host keeps nothing of a waiting call. The journal goes to the client as requestState, sealed
 * to the method, the tool, the arguments, the principal, the server's name and a time; with the
 * retry it comes back, the answers in inputResponses are put to its open questions, and the handler
 * runs again from the top. */
#ifndef LUNASK_ERAS_MODERN_H
#define LUNASK_ERAS_MODERN_H

#include "call/era.h"

extern const struct era MODERN;

/* Handles a message (x->message) whose body or header names this era. */
void modern_feed(struct exchange *x);

#endif
