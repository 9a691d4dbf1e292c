/* One legacy message: the handshake, and what comes after it. */
#ifndef LUNASK_ERAS_LEGACY_MESSAGE_H
#define LUNASK_ERAS_LEGACY_MESSAGE_H

#include "eras/session.h"

/* True for a value of MCP-Protocol-Version that a legacy session may carry. */
bool legacy_message_version_known(struct bytes version);

/* Answers initialize with a new session (2025-11-25 basic/lifecycle, "Initialization"). */
void legacy_message_initialize(struct exchange *x, const struct json *root,
                               struct sessions *sessions);

/* Handles one request, notification or response of x's session (x->owner). */
void legacy_message_post(struct exchange *x, const struct json *root);

#endif
