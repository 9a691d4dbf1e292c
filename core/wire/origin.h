/* Who may call from a browser: the Origin allowlist, and the Host names we answer to. The defence
 * against DNS rebinding that MCP asks of every HTTP server.
 *
 * An origin is reduced as a browser would: scheme and host lower-cased, IDN to punycode, odd
 * spellings of an IP address to the usual one, default port and everything else around the
 * authority dropped. Parsing is libcurl's URL API. Where a browser would accept more than libcurl
 * does ("http:host", backslashes), or what no browser ever sends (a zone in an IPv6 address, an
 * empty label), the value is refused: that errs on the safe side. */
#ifndef LUNASK_WIRE_ORIGIN_H
#define LUNASK_WIRE_ORIGIN_H

#include "base/buf.h"

/* Read-only once made: any thread may ask it. */
struct origin_list;

/* Reads a comma-separated list. NULL or blank gives the default, http://localhost:3000 and
 * http://127.0.0.1:3000. Entries that do not parse, or are opaque (scheme other than http and
 * https), are dropped, duplicates too; all-junk gives an empty list. Returns owned. */
struct origin_list *origin_list_new(const char *comma_separated);
void origin_list_free(struct origin_list *list);
size_t origin_list_count(const struct origin_list *list);
const char *origin_list_at(const struct origin_list *list, size_t i);

/* Returns true if the value of an Origin header is on the list after the same reduction. "null", a
 * list of several, a path (even "/"), a query, a fragment, userinfo or anything unparseable is
 * never. A value written as browsers write it costs one comparison an entry. An absent header is
 * not for this function: who sends none is no browser (2026-07-28 transports/streamable-http,
 * "Security & Endpoint"). */
bool origin_allowed(const struct origin_list *list, struct bytes origin);

/* Adds the reduced form of `url` (at most 4096 bytes) to `out`: "HTTP://Example.org:80/x" is
 * "http://example.org". Returns -1, adding nothing, for what is no web origin. Reducing twice
 * changes nothing more. */
int origin_reduce(struct bytes url, struct buf *out);

/* Returns true if a Host header value names us: localhost, 127.0.0.1 or [::1] (any port), or a name
 * on `names` (entries "name" match any port, "name:port" that port; case does not matter; names
 * beyond ASCII in punycode, as they travel). A Host without a port is on 80 or 443, whichever the
 * entry says. `names` is NULL-terminated or NULL. Absent or malformed is false. Checked beside
 * Origin because a rebound name is same-origin to its own page, which then sends no Origin with a
 * GET. */
bool origin_host_allowed(struct bytes host, const char *const *names);

#endif
