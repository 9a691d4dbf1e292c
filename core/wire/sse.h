/* Server-Sent Events (WHATWG HTML, "Server-sent events"), the writing half. */
#ifndef LUNASK_WIRE_SSE_H
#define LUNASK_WIRE_SSE_H

#include "base/buf.h"

/* Writes one event "message" whose data is `data` (JSON text of ours: no line breaks in it, which
 * is asserted). `id` may be empty. */
void sse_write_event(struct buf *out, struct bytes id, struct bytes data);

/* The comment that keeps proxies from closing a silent stream: ": keepalive" and a blank line. */
void sse_write_keepalive(struct buf *out);

#endif
