/* The headers that repeat parts of a modern request, compared with its body (2026-07-28
 * transports/streamable-http, "Server Validation"). Transports without headers pass.
 *
 * A proxy decides by the headers and the host acts on the body: if they could differ, what the
 * proxy let through and what is done would be two things. Header values are case-sensitive. */
#ifndef LUNASK_ERAS_MODERN_HEADERS_H
#define LUNASK_ERAS_MODERN_HEADERS_H

#include "call/exchange.h"

/* Both return 0, or -1 with the request refused (-32020, status 400). A header that came twice
 * matches nothing. */

/* MCP-Protocol-Version, as far as it can be checked before the version is known to be served: a
 * header that is there must match. */
int modern_headers_check_version(struct exchange *x, struct bytes version);

/* All of them: presence of MCP-Protocol-Version, Mcp-Method, and Mcp-Name where the method has a
 * name or uri. */
int modern_headers_check(struct exchange *x);

#endif
