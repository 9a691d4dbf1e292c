/* The trace context that a request may carry in its _meta (2026-07-28 basic, "OpenTelemetry Trace
 * Context"): traceparent and tracestate in the form of W3C Trace Context, baggage in that of W3C
 * Baggage.
 *
 * What is malformed is ignored, as W3C asks for: a trace is looked at when something has gone
 * wrong, and is no reason for it. tracestate says nothing without a traceparent. The ids go into
 * the lines of the log; the rest may hold anything a client put there, and goes nowhere. */
#ifndef LUNASK_WIRE_TRACE_H
#define LUNASK_WIRE_TRACE_H

#include "wire/json.h"

enum { TRACE_TEXT_BYTES = 72 };

/* The names of the members that were malformed, as bits. */
enum trace_fault { TRACE_PARENT = 1, TRACE_STATE = 2, TRACE_BAGGAGE = 4 };

/* Reads `meta` (may be NULL) and writes " (trace TRACE-ID span PARENT-ID)" to `text`, or "" if
 * there is no traceparent that is well formed. Returns a set of enum trace_fault. */
unsigned trace_read(const struct json *meta, char text[TRACE_TEXT_BYTES]);

/* Whether the values are well formed. */
bool trace_is_parent(struct bytes value);
bool trace_is_state(struct bytes value);
bool trace_is_baggage(struct bytes value);

#endif
