/* A legacy call's questions: pushed on its stream, withdrawn, answered. The functions are those of
 * struct era.
 *
 * A question is a request of ours, so its id is ours, too: a number that counts up in the session.
 * A response is matched by it among the session's calls that wait; that is all that ties an answer
 * to its question, and so the id of a question is never used again in a session. */
#ifndef LUNASK_ERAS_LEGACY_CALL_H
#define LUNASK_ERAS_LEGACY_CALL_H

#include "eras/session.h"

/* A call is on its session's list from its start to its end. */
void legacy_call_started(struct call *c);
/* Opens the call's stream, if it isn't open: there is no other way to learn whether it can be. The
 * reply is then a stream, whatever becomes of the question. */
int legacy_call_can_ask(const struct call *c, struct error *error);
/* Sends the questions and parks the call; or ends it with -32042 if one of them is a URL
 * elicitation that is required. */
void legacy_call_ask(struct call *c);
/* On the call's stream, or if its client has left that on the session's. */
void legacy_call_complete(struct call *c, const struct elicitation *e);
void legacy_call_unsupported(struct call *c, struct bytes capabilities);
void legacy_call_ended(struct call *c);

/* Tells the client that the questions it was sent and has not answered have no use any more
 * (notifications/cancelled with a question's id: 2025-11-25 basic/utilities/cancellation). Without
 * a stream there is no way to. */
void legacy_call_withdraw(struct call *c);

/* Gives a posted response to the call that waits for it; an error is raised in it, and takes the
 * other questions of its round back. Nobody waiting is no error: the first
 * answer wins, later ones are ignored. */
void legacy_call_answered(struct session *session, const struct rpc_message *response);

/* Returns true if a call of the session that has not ended yet came with this id (JSON text). */
bool legacy_call_uses(const struct session *session, struct bytes id);

/* Cancels the call of the request `id`, if there is one; nothing but its end is sent ("Not send a
 * response for the cancelled request"). One that is unknown or over is ignored. The client's
 * `reason`, if any, goes to the log. */
void legacy_call_cancel(struct session *session, const struct json *id, struct bytes reason);

#endif
