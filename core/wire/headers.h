/* The HTTP header values that MCP gives a meaning, read and compared. Values come from the network:
 * every function is total. */
#ifndef LUNASK_WIRE_HEADERS_H
#define LUNASK_WIRE_HEADERS_H

#include "base/buf.h"

/* Returns true if a Content-Type value names application/json, with any parameters save a charset
 * other than utf-8. Absent ({NULL, 0}) is false. */
bool headers_is_json(struct bytes content_type);

/* Returns true if an Accept value (RFC 9110, 12.5.1) admits `type` ("application/json",
 * "text/event-stream"): by name, by type wildcard or by a full wildcard, and not with q=0. The most
 * specific range decides. Absent, or blank, admits everything.
 *
 * Where clients are sloppy, we read what they mean: a range with parameters of its own ("…;
 * charset=utf-8") admits the type too but cannot forbid it, "*" alone is a full wildcard, a weight
 * that is no number counts as none, and of two equally specific ranges the friendlier one wins. */
bool headers_accepts(struct bytes accept, struct bytes type);

/* Decodes an Mcp-Name or Mcp-Param-* value: "=?base64?…?=" is base64 (RFC 4648, padded, canonical)
 * of UTF-8, anything else stands for itself and must be visible ASCII, space or tab. Returns 0
 * with the value added to `out`, or -1, adding nothing, if the value is malformed.
 * (MCP 2026-07-28, transports/streamable-http, "Value Encoding".) */
int headers_decode_value(struct bytes value, struct buf *out);

#endif
