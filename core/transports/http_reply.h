/* Replies as libmicrohttpd wants them. Each function returns an owned response
 * (MHD_destroy_response), never NULL.
 *
 * Browsers: an allowed origin is named in the reply, never "*", and Mcp-Session-Id is exposed, as a
 * page could not read it otherwise (Fetch, "CORS protocol"). To let pages send one more header: it
 * goes into ALLOWED_HEADERS of http_reply.c. */
#ifndef LUNASK_TRANSPORTS_HTTP_REPLY_H
#define LUNASK_TRANSPORTS_HTTP_REPLY_H

#include "call/exchange.h"

#include <sys/types.h>

struct MHD_Response;

/* What every reply to one request carries. */
struct http_dress {
    const char *origin; /* the allowed Origin it came with, or NULL */
    bool closing;       /* the connection ends with this reply */
};

/* A refusal: text a person reads. */
struct MHD_Response *http_reply_refusal(const struct http_dress *dress, int status,
                                        struct bytes text);

/* A page of the host itself, which nobody is to keep. */
struct MHD_Response *http_reply_page(const struct http_dress *dress, const char *type,
                                     struct bytes text);

/* The answer to OPTIONS, good for 10 minutes. Of the headers a browser asks for, those named
 * Mcp-Param-* are allowed beside the fixed ones: scripts choose these names (2026-07-28
 * transports/streamable-http, "Custom Headers from Tool Parameters"). */
struct MHD_Response *http_reply_preflight(const struct http_dress *dress, struct bytes requested);

/* A whole reply: JSON, or as the one event of a stream if the client takes nothing else. */
struct MHD_Response *http_reply_whole(const struct http_dress *dress, const struct reply *reply,
                                      bool as_event);

/* An event stream all of whose events are known; takes the contents of `events`. */
struct MHD_Response *http_reply_events(const struct http_dress *dress, struct buf *events);

/* An event stream that goes on: `read(arg, position, to, n)` is libmicrohttpd's content reader. */
struct MHD_Response *
http_reply_stream(const struct http_dress *dress,
                  ssize_t (*read)(void *arg, uint64_t position, char *to, size_t n), void *arg);

/* A refusal as bytes of HTTP/1.1, for when libmicrohttpd does not take a response any more. */
void http_reply_raw(const struct http_dress *dress, const char *status, struct bytes text,
                    struct buf *out);

#endif
