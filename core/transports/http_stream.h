/* What an event stream has still to send: events in, bytes out, in order.
 *
 *   out: [ taken … sent ][ … backlog … ]      one buf; what was taken is dropped now and then */
#ifndef LUNASK_TRANSPORTS_HTTP_STREAM_H
#define LUNASK_TRANSPORTS_HTTP_STREAM_H

#include "base/buf.h"

enum {
    HTTP_STREAM_BACKLOG = 1 << 20, /* bytes a client may be behind and still get another event */
    HTTP_STREAM_KEPT = 4096,       /* bytes of memory an idle stream holds on to */
};

/* All zero is a stream that is not open. */
struct http_stream {
    struct buf out;
    size_t sent; /* bytes of `out` already taken */
    bool open;   /* events may be added */
};

/* Forgets what was not taken. */
void http_stream_free(struct http_stream *s);

/* The bytes not yet taken. */
size_t http_stream_backlog(const struct http_stream *s);

/* Adds an event; `id` may be empty. */
void http_stream_add_event(struct http_stream *s, struct bytes id, struct bytes message);
/* Adds the comment that says nothing but that we are there. */
void http_stream_add_keepalive(struct http_stream *s);

/* Moves at most `n` bytes to `to`. Returns how many. */
size_t http_stream_take(struct http_stream *s, char *to, size_t n);

#endif
