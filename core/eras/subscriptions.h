/* subscriptions/listen: the streams on which modern clients hear of changes (2026-07-28
 * basic/patterns/subscriptions).
 *
 *   POST subscriptions/listen, params.notifications: the filter
 *     ←── notifications/subscriptions/acknowledged, with what of the filter is honoured
 *     ←── notifications/tools/list_changed, whenever a reload has changed the list
 *     ←── the result of the request, when the host stops
 *
 * Each message carries the id of the request as its subscription id, in _meta. The host offers
 * tools alone, so toolsListChanged is what it honours; the rest of a filter is checked and not
 * acknowledged. A filter of which nothing is left is a subscription all the same: the client sees
 * what it got, and it is the one to close.
 *
 * A stream is an exchange that stays open. Whatever is kept of it lies in the exchange's arena and
 * goes with it, whether the client closes it, which is how it cancels, or the host does.
 *
 * To offer another kind of change: its flag in the table of subscriptions.c, and a function beside
 * subscriptions_tools_changed. */
#ifndef LUNASK_ERAS_SUBSCRIPTIONS_H
#define LUNASK_ERAS_SUBSCRIPTIONS_H

#include "call/exchange.h"
#include "call/service.h"

/* Handles the request. Refused: a filter that is missing or malformed (-32602), unknown keys in it
 * apart; more streams than settings.sessions (RPC_BUSY); a client that accepts no event stream. */
void subscriptions_listen(struct exchange *x);

/* The client is gone. Fine for an exchange that is no subscription's. */
void subscriptions_gone(struct exchange *x);

/* Tells those who asked that tools/list has another answer now. */
void subscriptions_tools_changed(struct service *s);

/* Ends every stream with the result of its request ("Graceful Closure"). notifications/cancelled is
 * not sent: the schema has it from a server on stdio only, and a client that gets it first takes
 * the end for a failure. */
void subscriptions_stop(struct service *s);

#endif
