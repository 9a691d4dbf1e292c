/* Who is on the other side, as it says itself: nothing here is verified, so nothing is allowed for
 * its sake. Capabilities say what may be asked of it (a server MUST NOT send an elicitation in a
 * mode that was not declared: 2026-07-28 client/elicitation, "Capabilities"). */
#ifndef LUNASK_CALL_CLIENT_H
#define LUNASK_CALL_CLIENT_H

#include "base/buf.h"
#include "base/log.h"
#include "wire/json.h"

/* Views and tapes live as long as whoever declared them: the exchange (modern), the session
 * (legacy). */
struct client {
    struct bytes version;            /* of the protocol; empty: any */
    const struct json *info;         /* Implementation, or NULL */
    const struct json *capabilities; /* ClientCapabilities; an era has seen that it is an object */
    bool logs;                       /* it asked for log messages … */
    enum log_level log_level;        /* … that are at least as severe as this */
};

/* Tells whether `client` declared an extension ("extensions": {name: {…}}). */
bool client_extends(const struct client *client, const char *name);

/* For the error that names them. */
#define CLIENT_LOG_LEVELS "debug, info, notice, warning, error, critical, alert or emergency"

/* Reads the level a client asks for (any value). Returns 0, or -1 if it is none of the eight. */
int client_set_log_level(struct client *client, const struct json *level);

/* Tells whether `client` declared "elicitation", "elicitation.form", "elicitation.url", "sampling",
 * "roots" or any other dotted path of capabilities, as an object or as true ("roots.listChanged").
 * An elicitation capability without modes means form (2026-07-28 client/elicitation,
 * "Capabilities"). What the client's protocol version does not have it does not support, whatever
 * it declared; "sampling.context" is of all versions, and declared only since 2025-11-25. */
bool client_supports(const struct client *client, struct bytes capability);

/* Adds capabilities, separated by spaces, as the one object that -32021 wants: "elicitation.form
 * roots" is {"elicitation":{"form":{}},"roots":{}} (2026-07-28 schema,
 * MissingRequiredClientCapabilityError). */
void client_write_required(struct bytes capabilities, struct buf *out);

/* Adds {"name":…,"version":…,"capabilities":{…}}, the ctx.client of scripts. */
void client_write(const struct client *client, struct buf *out);

#endif
