/* subscriptions/listen: the streams on which modern clients hear of changes (2026-07-28
 * basic/patterns/subscriptions).
 *
 *   POST subscriptions/listen, params.notifications: the filter
 *     ←── notifications/subscriptions/acknowledged, with what of the filter is honoured
 *     ←── notifications/tools/list_changed and its kin, whenever a reload has changed a list
 *     ←── notifications/resources/updated, whenever a call has changed a resource (ctx:updated)
 *     ←── the result of the request, when the host stops
 *
 * Each message carries the id of the request as its subscription id, in _meta. Honoured is what the
 * capabilities tell at the time (capabilities.h): of prompts and resources only if scripts offer
 * any. The rest of a filter is checked and not acknowledged. The URIs of resources need not be
 * listed: templates stand for more, and a script may tell of any. A filter of which nothing is left
 * is a subscription all the same: the client sees what it got, and it is the one to close.
 *
 * A stream is an exchange that stays open. Whatever is kept of it lies in the exchange's arena and
 * goes with it, whether the client closes it, which is how it cancels, or the host does.
 *
 * To offer another list: its flag in the table of subscriptions.c. */
#ifndef LUNASK_ERAS_SUBSCRIPTIONS_H
#define LUNASK_ERAS_SUBSCRIPTIONS_H

#include "call/exchange.h"
#include "call/service.h"

enum { SUBSCRIPTIONS_BYTES = 64 * 1024 };

/* Handles the request. Refused: a filter that is missing or malformed (-32602), unknown keys in it
 * apart; one of more than SUBSCRIPTIONS_BYTES, as all of it is kept; more streams than
 * settings.sessions (RPC_BUSY); a client that accepts no event stream. */
void subscriptions_listen(struct exchange *x);

/* The client is gone. Fine for an exchange that is no subscription's. */
void subscriptions_gone(struct exchange *x);

/* Tell those who asked: that `lists`, a set of enum offer_list, have other answers now; that a
 * resource has changed. */
void subscriptions_lists_changed(struct service *s, unsigned lists);
void subscriptions_resource_updated(struct service *s, struct bytes uri);

/* Ends every stream with the result of its request ("Graceful Closure"). notifications/cancelled is
 * not sent: the schema has it from a server on stdio only, and a client that gets it first takes
 * the end for a failure. */
void subscriptions_stop(struct service *s);

#endif
