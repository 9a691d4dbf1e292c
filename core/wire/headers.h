/* The HTTP header values that MCP gives a meaning, read and compared. Values come from the network:
 * every function is total. Names of headers are the transport's business, as are repeated ones. */
#ifndef LUNASK_WIRE_HEADERS_H
#define LUNASK_WIRE_HEADERS_H

#include "base/buf.h"

/* Returns true if a Content-Type value names application/json, with any parameters save a charset
 * other than utf-8 (JSON is UTF-8 only: RFC 8259, 8.1). Absent ({NULL, 0}) is false. A page of
 * another origin can't send this type without a preflight: together with the Origin check, that is
 * what keeps forms of strangers out. */
bool headers_is_json(struct bytes content_type);

/* Returns true if it names application/x-www-form-urlencoded, with any parameters. */
bool headers_is_form(struct bytes content_type);

/* Returns true if an Accept value (RFC 9110, 12.5.1) admits `type` ("application/json",
 * "text/event-stream"): by name, by type wildcard or by a full wildcard, and not with q=0. The most
 * specific range decides. Absent, or blank, admits everything.
 *
 * Where clients are sloppy, we read what they mean: a range with parameters of its own ("…;
 * charset=utf-8") admits the type too but cannot forbid it, "*" alone is a full wildcard, a weight
 * that is no number counts as none, and of two equally specific ranges the friendlier one wins. */
bool headers_accepts(struct bytes accept, struct bytes type);

/* Decodes an Mcp-Name or Mcp-Param-* value: "=?base64?…?=" is base64 (RFC 4648, padded, canonical)
 * of UTF-8, anything else stands for itself and must be visible ASCII, space or tab. The marks are
 * lower case only. Returns 0 with the value added to `out`, or -1, adding nothing, if the value is
 * malformed. (MCP 2026-07-28, transports/streamable-http, "Value Encoding".) Compare with the body
 * only after this. */
int headers_decode_value(struct bytes value, struct buf *out);

#endif
