/* What the host says of itself, in server/discover and initialize alike: the same capabilities in
 * both eras, as both reach the same scripts.
 *
 * To add a legacy protocol version: a line in the table of capabilities.c. */
#ifndef LUNASK_METHODS_CAPABILITIES_H
#define LUNASK_METHODS_CAPABILITIES_H

#include "base/buf.h"
#include "call/service.h"
#include "script/offer.h"

#define CAPABILITIES_MODERN_VERSION "2026-07-28"
#define CAPABILITIES_LEGACY_LATEST  "2025-11-25"

/* True if the host speaks this legacy protocol version. */
bool capabilities_legacy_version(struct bytes version);

/* Adds "supportedVersions":[…], newest first. */
void capabilities_write_versions(struct buf *out);

/* Adds {"supported":[…],"requested":…}, the data of -32022 (2026-07-28 basic/versioning, "Protocol
 * Version Negotiation"). Legacy versions are in the list: the client may fall back to them. */
void capabilities_write_unsupported(struct bytes requested, struct buf *out);

/* Returns which lists the host has now: a set of enum offer_list, as capabilities_write tells. */
unsigned capabilities_lists(const struct service *s);

/* Returns the notification that tells of a change of that list. */
const char *capabilities_changed_method(enum offer_list list);

/* Adds "capabilities":{…} and, if the operator gave any, "instructions":…. Tools are always among
 * them, the rest if scripts offer any of it now; extensions are of the modern era. A reload that
 * changes a list is told of in both eras (service->lists_changed). */
void capabilities_write(const struct service *s, bool modern, struct buf *out);

/* Adds the Implementation object {"name":…,"version":…}. */
void capabilities_write_server(const struct settings *settings, struct buf *out);

#endif
