/* A modern call's journal on its way through the client: requestState and inputResponses
 * (2026-07-28 basic/patterns/mrtr). The functions are those of struct era.
 *
 *   tools/call ──→ open: a fresh journal ── handler … asks
 *              ←── input_required: inputRequests{key: question, …}, requestState = sealed journal
 *   tools/call ──→ open: the seal opens, answers are put to open questions ── handler, from the top
 *              ←── complete, or input_required with what is open still, or the next questions */
#ifndef LUNASK_ERAS_MODERN_CALL_H
#define LUNASK_ERAS_MODERN_CALL_H

#include "call/call.h"

/* Answers without a requestState belong to no question and are ignored, as are answers to questions
 * that were not asked; a question without an answer stays open and is asked again (mrtr, "Error
 * Handling"). A state that does not open is refused with one and the same error, whatever the
 * reason. */
int modern_call_open(struct exchange *x, struct journal *j_r);

/* Always 0: a client that lacks the capability was found out before, and any reply can be a
 * question. */
int modern_call_can_ask(const struct call *c, struct error *error);
/* Replies with the open questions and the sealed journal, and ends the call: nothing is left of it
 * here. A journal too large for a seal is an error of the tool. */
void modern_call_ask(struct call *c);
/* Replies with the sealed journal alone: the client sends its request once more ("MAY retry the
 * original request immediately"). */
void modern_call_come_again(struct call *c);
void modern_call_unsupported(struct call *c, struct bytes capabilities);

#endif
