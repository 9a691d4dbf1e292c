/* A modern call's journal on its way through the client: requestState and inputResponses
 * (2026-07-28 basic/patterns/mrtr). The functions are those of struct era. */
#ifndef LUNASK_ERAS_MODERN_CALL_H
#define LUNASK_ERAS_MODERN_CALL_H

#include "call/call.h"

/* Answers without a requestState belong to no question and are ignored. A state that does not open
 * is refused with one and the same error, whatever the reason. */
int modern_call_open(struct exchange *x, struct bytes target, struct journal *j_r);

int modern_call_can_ask(const struct call *c, struct error *error);
void modern_call_ask(struct call *c);
void modern_call_unsupported(struct call *c, struct bytes capability);

#endif
