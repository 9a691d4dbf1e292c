/* resources/subscribe and resources/unsubscribe, which only sessions have (2025-11-25
 * server/resources, "Subscriptions"). What changes is told on the session's own stream.
 *
 * A URI need not be one that resources/list has: templates stand for more, and a script may tell of
 * any. */
#ifndef LUNASK_ERAS_LEGACY_RESOURCES_H
#define LUNASK_ERAS_LEGACY_RESOURCES_H

#include "eras/session.h"

/* Handles the request if it is one of the two and the host offers resources; else returns false.
 * Refused with -32602: a uri that is missing or malformed, or too many of them (uris.h). */
bool legacy_resources_handle(struct session *session, struct exchange *x);

#endif
