#include "transports/http_reply.h"

#include "base/mem.h"
#include "wire/sse.h"

#include <ctype.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METHODS "POST, GET, DELETE, OPTIONS"
#define ALLOW   "GET, POST, DELETE, OPTIONS"

enum {
    STREAM_BLOCK = 16 * 1024, /* what libmicrohttpd asks a stream for at a time */
    REQUESTED_BYTES = 4096,   /* of Mcp-Param-* names that a preflight gets back */
};

static const char ALLOWED_HEADERS[] = "Content-Type, Accept, Authorization, Mcp-Session-Id, "
                                      "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";

/* libmicrohttpd says NULL for nothing but being out of memory, as mem.h would end on. */
static struct MHD_Response *checked(struct MHD_Response *response)
{
    if (!response) {
        fprintf(stderr, "lunask: out of memory (for a reply)\n");
        abort();
    }
    return response;
}

/* Vary, as the reply to another origin is another one: a cache must not mix them. */
static void dress_up(struct MHD_Response *response, const struct http_dress *dress)
{
    if (dress->origin) {
        MHD_add_response_header(response, "Access-Control-Allow-Origin", dress->origin);
        MHD_add_response_header(response, "Vary", "Origin");
        MHD_add_response_header(response, "Access-Control-Expose-Headers", "Mcp-Session-Id");
    }
    if (dress->closing) MHD_add_response_header(response, "Connection", "close");
}

/* Takes `text`, which came from malloc. */
static struct MHD_Response *make(const struct http_dress *dress, char *text, size_t n,
                                 const char *type)
{
    struct MHD_Response *response =
        checked(MHD_create_response_from_buffer(n, text, MHD_RESPMEM_MUST_FREE));
    if (type) MHD_add_response_header(response, "Content-Type", type);
    dress_up(response, dress);
    return response;
}

static struct MHD_Response *make_empty(const struct http_dress *dress)
{
    struct MHD_Response *response =
        checked(MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT));
    dress_up(response, dress);
    return response;
}

struct MHD_Response *http_reply_refusal(const struct http_dress *dress, int status,
                                        struct bytes text)
{
    struct MHD_Response *response = make(dress, mem_copy(text), text.n, "text/plain");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) MHD_add_response_header(response, "Allow", ALLOW);
    return response;
}

struct MHD_Response *http_reply_page(const struct http_dress *dress, const char *type,
                                     struct bytes text)
{
    struct MHD_Response *response = make(dress, mem_copy(text), text.n, type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    return response;
}

/* A token of RFC 9110, 5.6.2, behind the prefix: what a page names here comes back in a header. */
static bool is_parameter(struct bytes name)
{
    static const struct bytes PREFIX = BYTES_INIT("Mcp-Param-");
    static const char MARKS[] = "!#$%&'*+-.^_`|~";
    if (name.n <= PREFIX.n || !bytes_equal_nocase((struct bytes){name.p, PREFIX.n}, PREFIX))
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (!isalnum((unsigned char)name.p[i]) && !memchr(MARKS, name.p[i], sizeof MARKS - 1))
            return false;
    return true;
}

static void allow_headers(struct MHD_Response *response, struct bytes requested)
{
    struct buf list = {0};
    struct bytes name;

    buf_addz(&list, ALLOWED_HEADERS);
    while (bytes_split(&requested, ',', &name)) {
        name = bytes_trim(name);
        if (!is_parameter(name) || list.n + name.n > REQUESTED_BYTES) continue;
        buf_addz(&list, ", ");
        buf_add(&list, name);
    }
    MHD_add_response_header(response, "Access-Control-Allow-Headers", buf_text(&list));
    buf_free(&list);
}

struct MHD_Response *http_reply_preflight(const struct http_dress *dress, struct bytes requested)
{
    struct MHD_Response *response = make_empty(dress);
    MHD_add_response_header(response, "Allow", ALLOW);
    if (!dress->origin) return response;
    MHD_add_response_header(response, "Access-Control-Allow-Methods", METHODS);
    MHD_add_response_header(response, "Access-Control-Max-Age", "600");
    allow_headers(response, requested);
    return response;
}

static void add_session(struct MHD_Response *response, struct bytes id)
{
    char text[128];
    if (id.n == 0 || id.n >= sizeof text) return; /* ours have 32 digits */
    memcpy(text, id.p, id.n);
    text[id.n] = '\0';
    MHD_add_response_header(response, "Mcp-Session-Id", text);
}

/* It does nothing, shows nothing of others, is shown in none of theirs, and is not kept. */
static struct MHD_Response *make_page(const struct http_dress *dress, struct bytes text)
{
    static const char *const HEADERS[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"},
    };
    struct MHD_Response *response = make(dress, mem_copy(text), text.n, "text/html; charset=utf-8");
    for (size_t i = 0; i < sizeof HEADERS / sizeof HEADERS[0]; i++)
        MHD_add_response_header(response, HEADERS[i][0], HEADERS[i][1]);
    return response;
}

/* `as_event`: a client that accepts event streams only gets a stream of one event. */
static struct MHD_Response *make_body(const struct http_dress *dress, const struct reply *reply,
                                      bool as_event)
{
    struct buf event = {0};

    if (reply->body.n == 0) return make_empty(dress);
    if (reply->page) return make_page(dress, reply->body);
    if (!as_event || reply->status != MHD_HTTP_OK) /* an error is JSON to whoever gets it */
        return make(dress, mem_copy(reply->body), reply->body.n, "application/json");
    sse_write_event(&event, (struct bytes){NULL, 0}, reply->body);
    return http_reply_events(dress, &event);
}

struct MHD_Response *http_reply_whole(const struct http_dress *dress, const struct reply *reply,
                                      bool as_event)
{
    struct MHD_Response *response = make_body(dress, reply, as_event);
    char seconds[16];

    add_session(response, reply->session_id);
    if (reply->retry_after_s > 0) {
        snprintf(seconds, sizeof seconds, "%d", reply->retry_after_s);
        MHD_add_response_header(response, "Retry-After", seconds);
    }
    return response;
}

/* Not to be kept, and not to be gathered by a proxy: nginx sends what it has at once when it reads
 * the second (2026-07-28 transports/streamable-http, "Receiving Messages"). */
static void add_stream_headers(struct MHD_Response *response)
{
    MHD_add_response_header(response, "Cache-Control", "no-cache");
    MHD_add_response_header(response, "X-Accel-Buffering", "no");
}

struct MHD_Response *http_reply_events(const struct http_dress *dress, struct buf *events)
{
    size_t n;
    char *text = buf_take(events, &n);
    struct MHD_Response *response = make(dress, text, n, "text/event-stream");
    add_stream_headers(response);
    return response;
}

struct MHD_Response *
http_reply_stream(const struct http_dress *dress,
                  ssize_t (*read)(void *arg, uint64_t position, char *to, size_t n), void *arg)
{
    struct MHD_Response *response =
        checked(MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read, arg, NULL));
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    add_stream_headers(response);
    dress_up(response, dress);
    return response;
}

void http_reply_raw(const struct http_dress *dress, const char *status, struct bytes text,
                    struct buf *out)
{
    buf_printf(out,
               "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: text/plain\r\n"
               "Content-Length: %zu\r\n",
               status, text.n);
    if (dress->origin)
        buf_printf(out,
                   "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n"
                   "Access-Control-Expose-Headers: Mcp-Session-Id\r\n",
                   dress->origin);
    buf_addz(out, "\r\n");
    buf_add(out, text);
}
