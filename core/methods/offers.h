/* What the methods that list have in common. */
#ifndef LUNASK_METHODS_OFFERS_H
#define LUNASK_METHODS_OFFERS_H

#include "call/exchange.h"
#include "script/offer.h"

/* Answers x with the offers of `kind` under `member` ("tools"), in the order of their keys, so that
 * lists are equal as texts and a client's cached prompt stays good: settings.page_size of them from
 * params.cursor on, with nextCursor if there are more. */
void offers_list(struct exchange *x, enum offer_kind kind, const char *member);

#endif
