#include "eras/legacy_stream.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Until when a client that has lost a line should wait is told by the transport (wire/sse.h). */
#define RESUMES_SINCE "2025-11-25"

struct legacy_stream {
    struct exchange face; /* first: its channel's functions find the stream by it */
    struct replay_stream events;
    struct session *session;
    struct exchange *line; /* NULL: nobody is connected */
    int64_t too_large;     /* number of the last event that could not be kept; 0: none */
    bool over;             /* nothing more will come */
    struct legacy_stream *next;
};

static struct legacy_stream *of(struct exchange *face)
{
    return (struct legacy_stream *)(void *)face;
}

static struct legacy_stream *add(struct session *session)
{
    struct legacy_stream *s = mem_alloc(sizeof *s);
    s->session = session;
    s->events.number = session->next_stream++;
    s->next = session->streams;
    session->streams = s;
    return s;
}

/* What the face has of the line's memory is gone with the line; the id of the request stays. */
static void lose_line(struct legacy_stream *s)
{
    struct exchange *face = &s->face;
    s->line->owner = NULL;
    s->line = NULL;
    s->session->lines--;
    s->session->used_ms = clock_mono_ms();
    struct bytes id = face->message.id;
    face->message = (struct rpc_message){.kind = RPC_REQUEST};
    if (face->streaming) face->message.id = arena_copy(&face->arena, id);
    face->body = (struct bytes){NULL, 0};
}

static void close_line(struct legacy_stream *s)
{
    struct exchange *line = s->line;
    if (!line) return;
    lose_line(s);
    exchange_close_stream(line);
}

/* Of the line: its client is gone. */
static void line_gone(struct exchange *line)
{
    struct legacy_stream *s = line->owner;
    if (!s) return;
    lose_line(s);
    if (!s->face.channel || s->face.streaming) return;
    s->over = true;
    exchange_gone(&s->face);
}

/* All that an exchange which became a line still needs of an era. */
static const struct era LINE = {.name = ERA_LEGACY, .text = "line", .gone = line_gone};

static void take_line(struct legacy_stream *s, struct exchange *x)
{
    s->line = x;
    s->session->lines++;
    x->era = &LINE;
    x->owner = s;
}

static void send(const struct legacy_stream *s, int64_t number, struct bytes message)
{
    char id[64];
    int n = snprintf(id, sizeof id, "%08x-%lld-%lld", (unsigned)s->session->tag,
                     (long long)s->events.number, (long long)number);
    exchange_event_with_id(s->line, (struct bytes){id, (size_t)n}, message);
}

static void prime(const struct legacy_stream *s)
{
    if (strcmp(s->session->version, RESUMES_SINCE) < 0) return;
    send(s, s->session->next_event++, (struct bytes){NULL, 0});
}

static void put(struct legacy_stream *s, struct bytes message)
{
    int64_t number = s->session->next_event++;
    if (!replay_add(&s->session->replay, &s->events, number, message)) s->too_large = number;
    if (s->line) send(s, number, message);
}

/* The channel of a face. */

static struct bytes header(struct exchange *face, const char *name)
{
    struct exchange *line = of(face)->line;
    return line ? line->channel->header(line, name) : (struct bytes){NULL, 0};
}

static void reply(struct exchange *face, const struct reply *reply)
{
    struct legacy_stream *s = of(face);
    struct exchange *line = s->line;
    s->over = true;
    lose_line(s);
    exchange_reply(line, reply);
}

static int open_stream(struct exchange *face)
{
    const struct legacy_stream *s = of(face);
    if (exchange_open_stream(s->line) != 0) return -1;
    prime(s);
    return 0;
}

static void event(struct exchange *face, struct bytes id, struct bytes message)
{
    (void)id;
    put(of(face), message);
}

/* A response that was too large to be kept is an error to whoever comes back for it. It has the
 * number of the response, so a client that got that one gets no second. */
static void close_stream(struct exchange *face)
{
    struct legacy_stream *s = of(face);
    struct buf text = {0};
    s->over = true;
    if (s->too_large && s->too_large == s->session->next_event - 1) {
        rpc_write_error(&text, face->message.id, RPC_INTERNAL_ERROR,
                        BYTES("The result was larger than what is kept for a client that lost its "
                              "connection (replay_limit); what the call did is done"),
                        (struct bytes){NULL, 0});
        replay_add(&s->session->replay, &s->events, s->too_large, buf_bytes(&text));
        buf_free(&text);
    }
    close_line(s);
}

static const struct channel_ops FACE = {
    .header = header,
    .reply = reply,
    .open_stream = open_stream,
    .event = event,
    .close_stream = close_stream,
};

static bool forgotten(const struct legacy_stream *s)
{
    return s->over && !s->line && s->events.kept == 0;
}

static void free_stream(struct legacy_stream *s)
{
    exchange_free(&s->face);
    free(s);
}

/* Most requests are answered at once, without a stream: the next one frees what is left of them. */
static void sweep_newest(struct session *session)
{
    while (session->streams && forgotten(session->streams)) {
        struct legacy_stream *s = session->streams;
        session->streams = s->next;
        free_stream(s);
    }
}

struct exchange *legacy_stream_begin(struct session *session, struct exchange *x)
{
    sweep_newest(session);
    struct legacy_stream *s = add(session);
    struct exchange *face = &s->face;
    exchange_init(face, &FACE);
    face->has_headers = x->has_headers;
    face->verb = x->verb;
    face->body = x->body;
    face->principal = bytes_of(session->principal);
    face->service = x->service;
    face->era = x->era;
    face->client = x->client;
    face->message = x->message;
    face->owner = session;
    take_line(s, x);
    return face;
}

/* The session's own stream is over only with the session. */
static struct legacy_stream *own_stream(struct session *session)
{
    if (!session->own) session->own = add(session);
    return session->own;
}

/* Takes the next number off `rest`, written as send() does. Returns 0 if there is none. */
static int64_t take_number(struct bytes *rest)
{
    struct bytes digits;
    int64_t value = 0;
    if (!bytes_split(rest, '-', &digits) || digits.n == 0 || digits.n > 18) return 0;
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] < (value ? '0' : '1') || digits.p[i] > '9') return 0;
        value = value * 10 + (digits.p[i] - '0');
    }
    return value;
}

/* Returns the stream of an event id and its number in *after_r, or NULL. */
static struct legacy_stream *find(const struct session *session, struct bytes id, int64_t *after_r)
{
    char tag[16];
    struct bytes first;
    snprintf(tag, sizeof tag, "%08x", (unsigned)session->tag);
    if (!bytes_split(&id, '-', &first) || !bytes_equal(first, bytes_of(tag))) return NULL;
    int64_t stream = take_number(&id);
    *after_r = take_number(&id);
    if (*after_r == 0 || *after_r >= session->next_event || id.p) return NULL;
    struct legacy_stream *s = session->streams;
    while (s && s->events.number != stream)
        s = s->next;
    return s && !forgotten(s) && (s == session->own || s->face.streaming) ? s : NULL;
}

static void resume(struct legacy_stream *s, struct exchange *x, int64_t after)
{
    const struct replay_event *e;
    take_line(s, x);
    for (; (e = replay_next(&s->session->replay, &s->events, after)) != NULL; after = e->number)
        send(s, e->number, (struct bytes){e->text, e->n});
    if (s->over) close_line(s);
}

void legacy_stream_listen(struct session *session, struct exchange *x)
{
    struct bytes last = x->channel->header(x, "Last-Event-ID");
    int64_t after = 0;
    struct legacy_stream *s = last.p ? find(session, last, &after) : NULL;
    if (last.p && !s) {
        exchange_error(
            x, RPC_INVALID_REQUEST,
            "Last-Event-ID is of no stream of this session that is still kept: what came "
            "after it is lost. A GET without it opens a new stream");
        return;
    }
    /* Before the old line is closed: a GET that is refused must not cost the client the one it
     * has. */
    if (exchange_open_stream(x) != 0) {
        exchange_error(x, RPC_INVALID_REQUEST, "Accept must allow text/event-stream");
        return;
    }
    if (!s) s = own_stream(session);
    close_line(s);
    if (last.p) {
        resume(s, x, after);
    } else {
        take_line(s, x);
        prime(s);
    }
}

void legacy_stream_tell(struct session *session, struct bytes message)
{
    if (session->own) put(session->own, message);
}

bool legacy_stream_pause(struct exchange *face)
{
    if (!face || face->channel != &FACE) return false;
    struct legacy_stream *s = of(face);
    if (strcmp(s->session->version, RESUMES_SINCE) < 0) return false;
    if (exchange_open_stream(face) != 0) return false;
    close_line(s);
    return true;
}

void legacy_stream_sweep(struct session *session)
{
    struct legacy_stream **at = &session->streams;
    while (*at) {
        struct legacy_stream *s = *at;
        if (!forgotten(s)) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free_stream(s);
    }
}

void legacy_stream_close_own(struct session *session)
{
    if (session->own) close_line(session->own);
}

void legacy_stream_end_all(struct session *session)
{
    replay_free(&session->replay);
    while (session->streams) {
        struct legacy_stream *s = session->streams;
        session->streams = s->next;
        close_line(s);
        free_stream(s);
    }
    session->own = NULL;
}
