#include "transports/stdio.h"

#include "base/mem.h"
#include "transports/stdio_pipe.h"
#include "wire/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
    READ_BYTES = 64 * 1024, /* what a pipe holds */
    HANDLES = 3,
};

/* One message under way, on one of the two lists of its channel. */
struct visit {
    struct exchange x; /* first: the one is the other */
    struct stdio *channel;
    struct visit *next, **link;
};

struct stdio {
    struct worker *worker;
    struct stdio_pipe pipe;
    uv_prepare_t turn;
    unsigned closing; /* handles whose memory is still in use by the loop */
    struct lines lines;
    char *read;        /* READ_BYTES */
    struct bytes rest; /* of what was read, not yet looked at */
    bool quiesced;
    struct visit *open; /* under way */
    struct visit *over; /* ended; freed when nobody can be looking at them any more */
    char session[40];   /* the legacy session's id; empty: none */
    char opened[40];    /* that of an initialize just answered */
    void (*gone)(void *arg);
    void *gone_arg;
    bool told; /* `gone` was called */
};

static struct stdio *of(struct exchange *x)
{
    return ((struct visit *)(void *)x)->channel;
}

static void link_visit(struct visit *v, struct visit **list)
{
    v->next = *list;
    v->link = list;
    if (v->next) v->next->link = &v->next;
    *list = v;
}

static void unlink_visit(struct visit *v)
{
    *v->link = v->next;
    if (v->next) v->next->link = v->link;
}

static void finish(struct exchange *x)
{
    struct visit *v = (struct visit *)(void *)x;
    unlink_visit(v);
    link_visit(v, &v->channel->over);
}

/* The client of this channel has its session's id, as it were: it can't have another's. */
static struct bytes header(struct exchange *x, const char *name)
{
    const struct stdio *s = of(x);
    if (strcmp(name, "Mcp-Session-Id") != 0 || !s->session[0]) return (struct bytes){NULL, 0};
    return bytes_of(s->session);
}

/* Requests get replies, and so does what could not be read at all. The channel's own GET and DELETE
 * are nothing that the client has sent. */
static bool wants_reply(const struct exchange *x)
{
    const struct rpc_message *m = &x->message;
    if (x->verb != EXCHANGE_POST || m->result || m->error) return false;
    return m->kind == RPC_REQUEST || !m->method.p;
}

static void reply(struct exchange *x, const struct reply *reply)
{
    struct stdio *s = of(x);
    if (reply->session_id.n > 0 && reply->session_id.n < sizeof s->opened) {
        memcpy(s->opened, reply->session_id.p, reply->session_id.n);
        s->opened[reply->session_id.n] = '\0';
    }
    if (reply->body.n > 0 && wants_reply(x)) stdio_pipe_send(&s->pipe, reply->body);
    finish(x);
}

/* All streams share the channel, so there is nothing to be opened. */
static int open_stream(struct exchange *x)
{
    (void)x;
    return 0;
}

/* Without a message it is there for its id alone, and there are no ids here. */
static void event(struct exchange *x, struct bytes id, struct bytes message)
{
    (void)id;
    if (message.n > 0) stdio_pipe_send(&of(x)->pipe, message);
}

static struct exchange *find(struct exchange *x, const struct json *id)
{
    for (struct visit *v = of(x)->open; v; v = v->next)
        if (v->x.message.kind == RPC_REQUEST && v->x.message.id.n > 0 &&
            rpc_is_id(v->x.message.id, id))
            return &v->x;
    return NULL;
}

static const struct channel_ops CHANNEL = {
    .header = header,
    .reply = reply,
    .open_stream = open_stream,
    .event = event,
    .close_stream = finish,
    .find = find,
};

static struct visit *begin(struct stdio *s, enum exchange_verb verb)
{
    struct visit *v = mem_alloc(sizeof *v);
    exchange_init(&v->x, &CHANNEL);
    v->x.verb = verb;
    v->channel = s;
    link_visit(v, &s->open);
    return v;
}

static void free_visits(struct visit *v)
{
    while (v) {
        struct visit *next = v->next;
        exchange_free(&v->x);
        free(v);
        v = next;
    }
}

/* Does what a client over HTTP does by itself: it ends the session it had, and listens on the
 * stream of the new one. */
static void enter_session(struct stdio *s)
{
    if (!s->opened[0]) return;
    if (s->session[0]) worker_feed(s->worker, &begin(s, EXCHANGE_DELETE)->x);
    memcpy(s->session, s->opened, sizeof s->session);
    s->opened[0] = '\0';
    worker_feed(s->worker, &begin(s, EXCHANGE_GET)->x);
}

static void handle(struct stdio *s, enum lines_found found, struct bytes line)
{
    struct visit *v = begin(s, EXCHANGE_POST);
    struct error reason;
    if (found == LINES_TOO_LONG) {
        error_set(&reason, "The message is longer than %zu bytes (body_limit)", s->lines.most);
        exchange_error(&v->x, RPC_INVALID_REQUEST, reason.text);
        return;
    }
    v->x.body = arena_copy(&v->x.arena, line);
    worker_feed(s->worker, &v->x);
    enter_session(s);
}

static bool takes_messages(const struct stdio *s)
{
    return !s->quiesced && !s->pipe.broken && stdio_pipe_backlog(&s->pipe) <= STDIO_BACKLOG;
}

/* Returns true if there was a message: there may be something to write then. */
static bool take_lines(struct stdio *s)
{
    enum lines_found found = LINES_NONE;
    struct bytes line = {NULL, 0};
    bool any = false;
    while (takes_messages(s) && (found = lines_next(&s->lines, &s->rest, &line)) != LINES_NONE) {
        handle(s, found, line);
        any = true;
    }
    return any;
}

/* A message that is whole but for its newline counts: one that was cut off is no JSON. */
static void take_last(struct stdio *s)
{
    struct bytes line = {NULL, 0};
    enum lines_found found = lines_end(&s->lines, &line);
    if (found != LINES_NONE) handle(s, found, line);
    stdio_pipe_flush(&s->pipe);
}

static void tell_gone(struct stdio *s)
{
    if (s->told) return;
    s->told = true;
    s->gone(s->gone_arg);
}

/* Nobody hears what the calls have to say; legacy ones go on all the same. Each visit in turn from
 * the list, as telling one may end others. */
static void lose_client(struct stdio *s)
{
    if (s->pipe.overrun && !s->told)
        log_line(worker_log(s->worker), LOG_NOTICE,
                 "giving the client up: it does not read what it is sent");
    while (s->open) {
        struct visit *v = s->open;
        exchange_gone(&v->x);
        finish(&v->x);
    }
    tell_gone(s);
}

static bool wants_input(const struct stdio *s)
{
    return s->rest.n == 0 && takes_messages(s);
}

/* Before the loop sleeps: whatever woke it has said all it had to. */
static void on_turn(uv_prepare_t *prepare)
{
    struct stdio *s = prepare->data;
    if (wants_input(s))
        s->rest = (struct bytes){s->read, stdio_pipe_read(&s->pipe, s->read, READ_BYTES)};
    do
        stdio_pipe_flush(&s->pipe);
    while (take_lines(s));
    if (s->pipe.ended && wants_input(s) && !s->told) {
        take_last(s);
        tell_gone(s);
    }
    if (s->pipe.broken) lose_client(s);
    free_visits(s->over);
    s->over = NULL;
    stdio_pipe_watch(&s->pipe, wants_input(s));
}

struct stdio *stdio_new(uv_loop_t *loop, struct worker *worker, int in, int out,
                        void (*gone)(void *arg), void *arg, struct error *error)
{
    struct stdio *s = mem_alloc(sizeof *s);
    if (stdio_pipe_open(&s->pipe, loop, in, out, error) != 0) {
        free(s);
        return NULL;
    }
    s->worker = worker;
    s->lines.most = (size_t)worker_settings(worker)->body_limit;
    s->read = mem_alloc(READ_BYTES);
    s->gone = gone;
    s->gone_arg = arg;
    uv_prepare_init(loop, &s->turn);
    s->turn.data = s;
    uv_prepare_start(&s->turn, on_turn);
    return s;
}

void stdio_quiesce(struct stdio *s)
{
    s->quiesced = true;
}

bool stdio_idle(const struct stdio *s)
{
    return s->pipe.broken || stdio_pipe_backlog(&s->pipe) == 0;
}

static void on_closed(uv_handle_t *handle)
{
    struct stdio *s = handle->data;
    if (--s->closing > 0) return;
    free_visits(s->open);
    free_visits(s->over);
    lines_free(&s->lines);
    free(s->read);
    free(s);
}

void stdio_free(struct stdio *s)
{
    if (!s) return;
    s->closing = HANDLES;
    stdio_pipe_close(&s->pipe, on_closed, s);
    uv_close((uv_handle_t *)&s->turn, on_closed);
}
