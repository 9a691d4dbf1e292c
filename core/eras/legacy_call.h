/* A legacy call's questions: pushed on its stream, withdrawn, answered. The functions are those of
 * struct era. */
#ifndef LUNASK_ERAS_LEGACY_CALL_H
#define LUNASK_ERAS_LEGACY_CALL_H

#include "eras/session.h"

void legacy_call_started(struct call *c);
int legacy_call_can_ask(const struct call *c, struct error *error);
void legacy_call_ask(struct call *c);
void legacy_call_unsupported(struct call *c, struct bytes capability);
void legacy_call_ended(struct call *c);

/* Tells the client that the question it was sent has no use any more. */
void legacy_call_withdraw(struct call *c);

/* Gives a posted response to the call that waits for it. Nobody waiting is no error: the first
 * answer wins, later ones are ignored. */
void legacy_call_answered(struct session *session, const struct rpc_message *response);

/* Cancels the call of the request `id`, if there is one; nothing but its end is sent. */
void legacy_call_cancel(struct session *session, const struct json *id);

#endif
