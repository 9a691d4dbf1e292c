#include "transports/http_request.h"

#include "base/mem.h"
#include "transports/http_reply.h"
#include "transports/http_stream.h"
#include "transports/http_visit.h"
#include "wire/parameters.h"

#include <assert.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum state { READING, FEEDING, WAITING, READY, SENDING };

struct http_request {
    struct exchange x; /* first: the channel's functions find the request by it */
    struct http_site *site;
    struct http_request *prev, *next;
    struct MHD_Connection *connection;
    struct http_watch *watch;
    struct http_visit visit;
    enum state state;
    bool parked;      /* the connection is suspended and nobody has resumed it */
    bool done;        /* replied, or the stream was closed: the exchange needs no goodbye */
    bool gone;        /* the client left; the exchange knows */
    bool cut;         /* we hung up on a client that does not read */
    bool unread;      /* refused with its body still to come */
    int64_t received; /* bytes of the body, kept or not: for the limit */
    struct buf body;
    int status;                    /* of `response`, or of the stream */
    struct MHD_Response *response; /* not yet given to libmicrohttpd */
    struct http_stream stream;
};

static struct http_request *of(struct exchange *x)
{
    return (struct http_request *)x;
}

/* Nothing is said to a page whose origin was not let in. */
static struct http_dress dress_of(const struct http_request *r)
{
    return (struct http_dress){
        .origin = r->visit.allowed && r->visit.origin.p ? r->visit.origin.p : NULL,
        .closing = r->site->quiesced,
    };
}

/* Makes libmicrohttpd look at the connection again if it has stopped to. Without one that is
 * suspended there is nothing to do: it looks anyway, once the host returns. */
static void wake(struct http_request *r)
{
    if (!r->parked) return;
    r->parked = false;
    if (r->state == WAITING) r->state = READY;
    http_loop_resume(&r->site->loop, r->connection);
}

/* At most once, and never after the host has said its last word. */
static void say_gone(struct http_request *r)
{
    if (r->done || r->gone) return;
    r->gone = true;
    exchange_gone(&r->x); /* nothing is sent on it from here on */
}

/* Of the watch. Whoever sends a stream to nobody is stopped by its reader. */
static void on_left(void *arg)
{
    struct http_request *r = arg;
    say_gone(r);
    wake(r);
}

/* Returns false if the client has left meanwhile. Only from libmicrohttpd's callbacks. */
static bool park(struct http_request *r)
{
    if (!http_watch_set(r->watch, on_left, r)) {
        say_gone(r);
        return false;
    }
    MHD_suspend_connection(r->connection);
    r->parked = true;
    return true;
}

/* The channel. */

static struct bytes channel_header(struct exchange *x, const char *name)
{
    return http_visit_header(&of(x)->visit, of(x)->connection, name);
}

static void channel_reply(struct exchange *x, const struct reply *reply)
{
    struct http_request *r = of(x);
    struct http_dress dress = dress_of(r);

    assert(!r->stream.open);
    if (r->done || r->gone) return;
    r->done = true;
    r->status = reply->status;
    r->response = http_reply_whole(&dress, reply, !r->visit.admits_json);
    wake(r);
}

/* Headers go out now, not with the first event: a client waits for them to know that it is on. */
static int channel_open_stream(struct exchange *x)
{
    struct http_request *r = of(x);

    if (!r->visit.admits_events || r->done || r->gone) return -1;
    r->stream.open = true;
    r->status = MHD_HTTP_OK;
    wake(r);
    return 0;
}

/* libmicrohttpd and the watch see the socket closed, and everything ends as if the client had. */
static void hang_up(struct http_request *r)
{
    r->cut = true;
    http_stream_free(&r->stream);
    http_watch_hang_up(r->watch);
}

static void channel_event(struct exchange *x, struct bytes id, struct bytes message)
{
    struct http_request *r = of(x);

    assert(r->stream.open);
    if (r->done || r->gone || r->cut) return;
    if (r->state == SENDING && http_stream_backlog(&r->stream) > HTTP_STREAM_BACKLOG) {
        log_line(worker_log(r->site->worker), LOG_NOTICE,
                 "a client that does not read its event stream was disconnected");
        hang_up(r);
        return;
    }
    http_stream_add_event(&r->stream, id, message);
    wake(r);
}

static void channel_close_stream(struct exchange *x)
{
    struct http_request *r = of(x);

    assert(r->stream.open);
    if (r->done || r->gone) return;
    r->done = true;
    wake(r);
}

static int channel_socket(struct exchange *x)
{
    return http_watch_socket(of(x)->watch);
}

static const struct channel_ops CHANNEL = {
    .header = channel_header,
    .reply = channel_reply,
    .open_stream = channel_open_stream,
    .event = channel_event,
    .close_stream = channel_close_stream,
    .socket = channel_socket,
};

/* libmicrohttpd's content reader: the bytes of a stream that goes on. */
static ssize_t read_stream(void *arg, uint64_t position, char *to, size_t n)
{
    struct http_request *r = arg;
    size_t taken;

    (void)position;
    if (r->gone || r->cut) return MHD_CONTENT_READER_END_WITH_ERROR;
    taken = http_stream_take(&r->stream, to, n);
    if (taken > 0) return (ssize_t)taken;
    if (r->done) return MHD_CONTENT_READER_END_OF_STREAM;
    /* 0 alone would have it ask again at once, and for ever: suspended, it waits for wake(). */
    return park(r) ? 0 : MHD_CONTENT_READER_END_WITH_ERROR;
}

/* Gives the response to libmicrohttpd. A stream that is over already goes out in one piece. */
static bool queue(struct http_request *r)
{
    struct http_dress dress = dress_of(r);
    enum MHD_Result queued;

    r->state = SENDING;
    http_watch_busy(r->watch);
    if (!r->response && r->done)
        r->response = http_reply_events(&dress, &r->stream.out);
    else if (!r->response)
        r->response = http_reply_stream(&dress, read_stream, r);
    queued = MHD_queue_response(r->connection, (unsigned)r->status, r->response);
    MHD_destroy_response(r->response); /* ours; libmicrohttpd holds one of its own */
    r->response = NULL;
    return queued == MHD_YES;
}

/* Makes the response; when it is sent depends on what is still to be read. */
static void refuse(struct http_request *r, int status, struct bytes why)
{
    struct http_dress dress = dress_of(r);
    r->status = status;
    if (status == MHD_HTTP_NO_CONTENT)
        r->response = http_reply_preflight(&dress, r->visit.requested_headers);
    else if (r->visit.page)
        r->response = http_reply_page(&dress, r->visit.page, why);
    else
        r->response = http_reply_refusal(&dress, status, why);
}

static enum exchange_verb verb_of(const char *method)
{
    if (strcmp(method, "GET") == 0) return EXCHANGE_GET;
    return strcmp(method, "DELETE") == 0 ? EXCHANGE_DELETE : EXCHANGE_POST;
}

static struct http_request *open_request(struct http_site *site, struct MHD_Connection *connection,
                                         struct http_watch *watch)
{
    struct http_request *r = mem_alloc(sizeof *r);
    r->site = site;
    r->connection = connection;
    r->watch = watch;
    r->next = site->requests;
    if (r->next) r->next->prev = r;
    site->requests = r;
    return r;
}

struct http_request *http_request_begin(struct http_site *site, struct MHD_Connection *connection,
                                        struct http_watch *watch, const struct http_line *line,
                                        bool *go_on_r)
{
    struct http_request *r = open_request(site, connection, watch);
    struct buf why = {0};
    int status;

    *go_on_r = true;
    http_visit_read(&r->visit, connection);
    status = http_visit_judge(&r->visit, site->worker, connection, line->path, line->method, &why);
    if (status == 0) {
        exchange_init(&r->x, &CHANNEL);
        r->x.verb = r->visit.token.p ? EXCHANGE_CALLBACK : verb_of(line->method);
        if (r->visit.token.p) r->x.token = arena_copy(&r->x.arena, r->visit.token);
        r->x.has_headers = true;
    } else {
        refuse(r, status, buf_bytes(&why));
        /* A response now ends the connection, and leaves the body unread in it. */
        r->unread = !http_visit_can_discard(&r->visit, site->settings->body_limit);
        if (r->unread) *go_on_r = queue(r);
    }
    buf_free(&why);
    return r;
}

/* libmicrohttpd takes no response in the middle of a body: this one goes to the socket, then the
 * connection is dropped. If the socket does not take it, the client gets none. */
static void refuse_body(const struct http_request *r)
{
    struct http_dress dress = dress_of(r);
    struct buf text = {0}, raw = {0};

    buf_printf(&text, "Content Too Large: a body may have %lld bytes (body_limit in the config)",
               (long long)r->site->settings->body_limit);
    http_reply_raw(&dress, "413 Content Too Large", buf_bytes(&text), &raw);
    if (send(http_watch_socket(r->watch), raw.p, raw.n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        log_line(worker_log(r->site->worker), LOG_DEBUG, "a refusal could not be sent");
    buf_free(&text);
    buf_free(&raw);
}

/* Memory grows with what has come, never with what a Content-Length announces. */
static void keep(struct http_request *r, struct bytes piece)
{
    bool wanted = r->x.verb == EXCHANGE_POST || r->x.verb == EXCHANGE_CALLBACK;
    if (!wanted || r->response) return;
    buf_add(&r->body, piece);
}

bool http_request_body(struct http_request *r, struct bytes piece)
{
    if (r->state == SENDING) return true; /* refused before its body; this is the rest */
    r->received += (int64_t)piece.n;
    if (r->received > r->site->settings->body_limit) {
        refuse_body(r);
        r->unread = true;
        return false;
    }
    keep(r, piece);
    return true;
}

static enum MHD_Result on_argument(void *arg, enum MHD_ValueKind kind, const char *key,
                                   size_t key_n, const char *value, size_t value_n)
{
    (void)kind;
    parameters_add(arg, (struct bytes){key, key_n}, (struct bytes){value ? value : "", value_n});
    return MHD_YES;
}

/* Puts what a browser brought in place of the body: nothing if it is too much. */
static void read_parameters(struct http_request *r)
{
    struct parameters p = {0};
    MHD_get_connection_values_n(r->connection, MHD_GET_ARGUMENT_KIND, on_argument, &p);
    if (r->body.n <= PARAMETERS_BYTES)
        parameters_decode(&p, buf_bytes(&r->body));
    else
        p.over = true;
    buf_clear(&r->body);
    if (!p.over) parameters_write(&p, &r->body);
    parameters_free(&p);
}

/* A reply that came at once goes out in the same run of libmicrohttpd: no system call but its send.
 * Anything later costs a suspended connection. */
static bool feed(struct http_request *r)
{
    r->state = FEEDING;
    http_watch_busy(r->watch);
    if (r->x.verb == EXCHANGE_CALLBACK) read_parameters(r);
    r->x.body = buf_bytes(&r->body);
    worker_feed(r->site->worker, &r->x);
    if (r->response || r->stream.open) return queue(r);
    r->state = WAITING;
    return park(r);
}

bool http_request_go_on(struct http_request *r)
{
    if (r->gone) return false;
    /* READING without a response: the body has just ended. All else is fed, or refused. */
    if (r->state != READING || r->response) return queue(r);
    return feed(r);
}

static void unlink_request(struct http_request *r)
{
    if (r->prev)
        r->prev->next = r->next;
    else
        r->site->requests = r->next;
    if (r->next) r->next->prev = r->prev;
}

void http_request_end(struct http_request *r)
{
    unlink_request(r);
    http_watch_clear(r->watch);
    if (r->unread) http_linger_begin(&r->site->lingers, http_watch_socket(r->watch));
    r->parked = false;
    if (r->x.channel) { /* NULL in a request that was refused by its headers */
        if (r->state != READING) say_gone(r);
        exchange_free(&r->x);
    }
    if (r->response) MHD_destroy_response(r->response);
    http_stream_free(&r->stream);
    buf_free(&r->body);
    free(r);
}

void http_request_keep_alive(struct http_site *site)
{
    for (struct http_request *r = site->requests; r; r = r->next) {
        bool silent = r->state == SENDING && r->stream.open && r->parked;
        if (!silent) continue;
        http_stream_add_keepalive(&r->stream);
        wake(r);
    }
}

void http_request_release_all(struct http_site *site)
{
    for (struct http_request *r = site->requests; r; r = r->next)
        wake(r);
}
