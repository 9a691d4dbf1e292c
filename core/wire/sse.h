/* Server-Sent Events (WHATWG HTML, "Server-sent events"), the writing half.
 *
 *   event: message
 *   id: 17                  only when there is one
 *   retry: 1000             only without data: when to come back
 *   data: {"jsonrpc":…}     one line, as no JSON of ours holds a line break
 *                           the blank line is what makes a client take it */
#ifndef LUNASK_WIRE_SSE_H
#define LUNASK_WIRE_SSE_H

#include "base/buf.h"

enum { SSE_RETRY_MS = 1000 };

/* Writes one event "message" whose data is `data` (JSON text of ours: no line breaks in it, which
 * is asserted). Empty it is the event that tells a client its first id, and to come back
 * SSE_RETRY_MS after the connection is lost (2025-11-25 basic/transports, "Sending Messages"). `id`
 * may be empty; it holds no line break and no NUL, which would make a client ignore it (asserted
 * too). */
void sse_write_event(struct buf *out, struct bytes id, struct bytes data);

/* The comment that keeps proxies from closing a silent stream: ": keepalive" and a blank line. */
void sse_write_keepalive(struct buf *out);

#endif
