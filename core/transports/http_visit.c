#include "transports/http_visit.h"

#include "transports/http_page.h"
#include "wire/headers.h"
#include "wire/parameters.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

static const struct bytes JSON = BYTES_INIT("application/json");
static const struct bytes EVENTS = BYTES_INIT("text/event-stream");

/* What every official client sends: known without reading it. */
static const struct bytes USUAL_ACCEPT = BYTES_INIT("application/json, text/event-stream");

/* Keeps the first value; a repetition is counted. Two Hosts or Origins, or types, would let a proxy
 * and the host read two requests: such a request is refused (judge_sender, judge_content). */
static void note(struct bytes *to, unsigned *count, struct bytes value)
{
    if (!to->p) *to = value;
    if (count) ++*count;
}

/* Several Accept lines are one list (RFC 9110, 5.3): what one of them admits is admitted. */
static void note_accept(struct http_visit *v, struct bytes value)
{
    bool usual = bytes_equal(value, USUAL_ACCEPT);

    v->accept = true;
    v->admits_json = v->admits_json || usual || headers_accepts(value, JSON);
    v->admits_events = v->admits_events || usual || headers_accepts(value, EVENTS);
}

/* White space around a value is no part of it (RFC 9110, 5.5); libmicrohttpd leaves what follows.
 */
static struct bytes value_of(const char *value, size_t n)
{
    return bytes_trim((struct bytes){value ? value : "", value ? n : 0});
}

static const struct bytes MCP = BYTES_INIT("Mcp-");

static bool is_mcp(struct bytes name)
{
    return name.n > MCP.n && bytes_equal_nocase((struct bytes){name.p, MCP.n}, MCP);
}

static void keep(struct http_visit *v, struct bytes name, struct bytes value)
{
    if (v->mcp < HTTP_VISIT_KEPT) v->kept[v->mcp] = (struct http_field){name, value};
    v->mcp++;
}

static enum MHD_Result on_header(void *arg, enum MHD_ValueKind kind, const char *key, size_t key_n,
                                 const char *value, size_t value_n)
{
    struct http_visit *v = arg;
    struct bytes name = {key, key_n};
    struct bytes text = value_of(value, value_n);

    (void)kind;
    if (is_mcp(name))
        keep(v, name, text);
    else if (bytes_equal_nocase(name, BYTES("Host")))
        note(&v->host, &v->hosts, text);
    else if (bytes_equal_nocase(name, BYTES("Origin")))
        note(&v->origin, &v->origins, text);
    else if (bytes_equal_nocase(name, BYTES("Content-Type")))
        note(&v->content_type, &v->content_types, text);
    else if (bytes_equal_nocase(name, BYTES("Content-Length")))
        note(&v->content_length, NULL, text);
    else if (bytes_equal_nocase(name, BYTES("Accept")))
        note_accept(v, text);
    else if (bytes_equal_nocase(name, BYTES("Transfer-Encoding")))
        v->chunked = true;
    else if (bytes_equal_nocase(name, BYTES("Expect")))
        v->expects = true;
    else if (bytes_equal_nocase(name, BYTES("Access-Control-Request-Headers")))
        note(&v->requested_headers, NULL, text);
    return MHD_YES;
}

void http_visit_read(struct http_visit *v, struct MHD_Connection *connection)
{
    *v = (struct http_visit){0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, on_header, v);
    if (!v->accept) v->admits_json = v->admits_events = true;
}

struct search {
    struct bytes name, value;
    unsigned count;
};

/* Two are enough to know. */
static bool consider(struct search *s, struct bytes name, struct bytes value)
{
    if (!bytes_equal_nocase(name, s->name)) return true;
    s->value = value;
    return ++s->count < 2;
}

static enum MHD_Result on_candidate(void *arg, enum MHD_ValueKind kind, const char *key,
                                    size_t key_n, const char *value, size_t value_n)
{
    (void)kind;
    return consider(arg, (struct bytes){key, key_n}, value_of(value, value_n)) ? MHD_YES : MHD_NO;
}

struct bytes http_visit_header(const struct http_visit *v, struct MHD_Connection *connection,
                               const char *name)
{
    struct search s = {.name = bytes_of(name)};
    unsigned i = 0;
    if (!is_mcp(s.name) || v->mcp > HTTP_VISIT_KEPT)
        MHD_get_connection_values_n(connection, MHD_HEADER_KIND, on_candidate, &s);
    else
        while (i < v->mcp && consider(&s, v->kept[i].name, v->kept[i].value))
            i++;
    return s.count < 2 ? s.value : (struct bytes){"", 0};
}

/* Writes a foreign text so that it can be shown: cut, and without control characters. */
static void add_quoted(struct buf *out, struct bytes text)
{
    enum { SHOWN = 100 };
    buf_addc(out, '"');
    for (size_t i = 0; i < text.n && i < SHOWN; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c < 0x20 || c > 0x7e || c == '"' || c == '\\')
            buf_printf(out, "\\x%02x", c);
        else
            buf_addc(out, (char)c);
    }
    if (text.n > SHOWN) buf_addz(out, "...");
    buf_addc(out, '"');
}

/* The endpoint was right, so this is a call: what is not let in gets 403 (2026-07-28
 * transports/streamable-http, "Security & Endpoint"). Returns 0 or the status. */
static int judge_sender(struct http_visit *v, const struct worker *worker, struct buf *why)
{
    struct worker_visit visit = {.origin = v->origin, .origin_repeated = v->origins > 1};

    if (v->hosts == 1) visit.host = v->host; /* two of them name nobody */
    switch (worker_admit(worker, &visit)) {
    case WORKER_WELCOME:
        v->allowed = true;
        return 0;
    case WORKER_BAD_ORIGIN:
        buf_addz(why, "Forbidden: Origin not allowed");
        return MHD_HTTP_FORBIDDEN;
    case WORKER_BAD_HOST:
        break;
    }
    buf_addz(why, "Forbidden: Host ");
    add_quoted(why, v->host);
    buf_addz(why, " is not a name of this server; to use it, add it to allowed_hosts in the "
                  "config");
    return MHD_HTTP_FORBIDDEN;
}

/* The length may have more digits than a number holds: that is over any limit. */
static bool too_long(const struct http_visit *v, int64_t limit)
{
    if (v->chunked || v->content_length.n == 0) return false;
    return strtoull(v->content_length.p, NULL, 10) > (unsigned long long)limit;
}

/* DELETE and GET have no body that means anything, so theirs may be of any type. */
static int judge_content(const struct http_visit *v, int64_t body_limit, const char *method,
                         struct buf *why)
{
    bool post = strcmp(method, "POST") == 0;

    if (post && (v->content_types != 1 || !headers_is_json(v->content_type))) {
        buf_addz(why, "Unsupported Media Type: send Content-Type: application/json");
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    }
    if (post && !v->admits_json && !v->admits_events) {
        buf_addz(why, "Not Acceptable: send Accept: application/json, text/event-stream");
        return MHD_HTTP_NOT_ACCEPTABLE;
    }
    if (strcmp(method, "GET") == 0 && !v->admits_events) {
        buf_addz(why, "Not Acceptable: send Accept: text/event-stream");
        return MHD_HTTP_NOT_ACCEPTABLE;
    }
    if (too_long(v, body_limit)) {
        buf_printf(why, "Content Too Large: a body may have %lld bytes (body_limit in the config)",
                   (long long)body_limit);
        return MHD_HTTP_CONTENT_TOO_LARGE;
    }
    return 0;
}

static bool is_endpoint(const char *path)
{
    return strcmp(path, "/mcp") == 0 || strcmp(path, "/api/mcp") == 0;
}

static const char CALLBACK[] = "/callback/";

static bool is_callback(const char *path)
{
    return strncmp(path, CALLBACK, strlen(CALLBACK)) == 0;
}

/* A browser, sent here from any site (call/callbacks.h): its Origin is that of another, and the
 * token is what lets it in. */
static int judge_callback(struct http_visit *v, const struct worker *worker, const char *path,
                          const char *method, struct buf *why)
{
    bool post = strcmp(method, "POST") == 0;
    v->origin = (struct bytes){NULL, 0};
    v->origins = 0;
    int status = judge_sender(v, worker, why);
    if (status != 0) return status;
    if (!post && strcmp(method, "GET") != 0) {
        buf_addz(why, "Method Not Allowed: use GET or POST");
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (post && (v->content_types != 1 || !headers_is_form(v->content_type))) {
        buf_addz(why,
                 "Unsupported Media Type: send Content-Type: application/x-www-form-urlencoded");
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    }
    if (too_long(v, PARAMETERS_BYTES)) {
        buf_addz(why, "Content Too Large");
        return MHD_HTTP_CONTENT_TOO_LARGE;
    }
    v->token = bytes_of(path + strlen(CALLBACK));
    return 0;
}

/* HEAD is not: it would have to say what a GET says, and that is a stream without end. */
static bool is_ours(const char *method)
{
    return strcmp(method, "POST") == 0 || strcmp(method, "GET") == 0 ||
           strcmp(method, "DELETE") == 0 || strcmp(method, "OPTIONS") == 0;
}

int http_visit_judge(struct http_visit *v, struct worker *worker, struct MHD_Connection *connection,
                     const char *path, const char *method, struct buf *why)
{
    const union MHD_ConnectionInfo *size =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    int status;

    if (size && size->header_size > HTTP_VISIT_HEADER_BYTES) {
        buf_printf(why, "Request Header Fields Too Large: they may have %d bytes",
                   HTTP_VISIT_HEADER_BYTES);
        return MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE;
    }
    if (is_callback(path)) return judge_callback(v, worker, path, method, why);
    if (!is_endpoint(path) && !http_page_known(path)) {
        buf_addz(why, "Not Found: the endpoint is /mcp");
        return MHD_HTTP_NOT_FOUND;
    }
    status = judge_sender(v, worker, why);
    if (status != 0) return status;
    if (!is_endpoint(path)) return http_page_judge(v, worker, connection, path, method, why);
    if (!is_ours(method)) {
        buf_addz(why, "Method Not Allowed: use POST, GET, DELETE or OPTIONS");
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (strcmp(method, "OPTIONS") == 0) return MHD_HTTP_NO_CONTENT;
    return judge_content(v, worker_settings(worker)->body_limit, method, why);
}

/* Who waits for 100 Continue has not sent the body yet, and one over the limit isn't worth
 * reading. */
bool http_visit_can_discard(const struct http_visit *v, int64_t body_limit)
{
    return !v->expects && !too_long(v, body_limit);
}
