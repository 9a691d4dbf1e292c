#include "transports/http_stream.h"

#include "wire/sse.h"

#include <string.h>

void http_stream_free(struct http_stream *s)
{
    buf_free(&s->out);
    s->sent = 0;
}

size_t http_stream_backlog(const struct http_stream *s)
{
    return s->out.n - s->sent;
}

/* Moves what is left to the front once that is the smaller part: each byte moves once or so. */
static void compact(struct http_stream *s)
{
    size_t left = http_stream_backlog(s);
    if (s->sent == 0 || left > s->sent) return;
    memmove(s->out.p, s->out.p + s->sent, left);
    s->out.n = left;
    s->sent = 0;
}

void http_stream_add_event(struct http_stream *s, struct bytes id, struct bytes message)
{
    compact(s);
    sse_write_event(&s->out, id, message);
}

void http_stream_add_keepalive(struct http_stream *s)
{
    sse_write_keepalive(&s->out);
}

size_t http_stream_take(struct http_stream *s, char *to, size_t n)
{
    size_t left = http_stream_backlog(s);
    if (n > left) n = left;
    if (n == 0) return 0;
    memcpy(to, s->out.p + s->sent, n);
    s->sent += n;
    if (s->sent < s->out.n) return n;
    s->sent = 0;
    /* A stream may wait for hours; what one large result took is given back, what small events need
     * is kept. */
    if (s->out.cap > HTTP_STREAM_KEPT)
        buf_free(&s->out);
    else
        buf_clear(&s->out);
    return n;
}
