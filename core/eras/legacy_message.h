/* One legacy message: the handshake, and what comes after it. */
#ifndef LUNASK_ERAS_LEGACY_MESSAGE_H
#define LUNASK_ERAS_LEGACY_MESSAGE_H

#include "eras/session.h"

/* True for a value of MCP-Protocol-Version that a legacy session may carry. */
bool legacy_message_version_known(struct bytes version);

/* Answers initialize with a new session (2025-11-25 basic/lifecycle, "Initialization"). The version
 * asked for, if it is a legacy one that the host speaks, else the latest of those: also for a
 * client that asks for 2026-07-28 in this way, as that version has no initialize. */
void legacy_message_initialize(struct exchange *x, const struct json *root,
                               struct sessions *sessions);

/* Handles one request, notification or response of x's session (x->owner). The latter two get 202,
 * also when nobody waits for them: they were accepted, and there is no error for a notification. */
void legacy_message_post(struct exchange *x, const struct json *root);

#endif
