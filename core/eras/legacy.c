#include "eras/legacy.h"

#include "base/clock.h"
#include "base/mem.h"
#include "eras/batch.h"
#include "eras/legacy_call.h"
#include "eras/legacy_message.h"
#include "eras/legacy_stream.h"
#include "eras/session.h"
#include "methods/capabilities.h"
#include "wire/json_write.h"

#include <stdlib.h>
#include <string.h>

struct legacy {
    struct sessions *sessions;
};

struct legacy *legacy_new(void)
{
    struct legacy *l = mem_alloc(sizeof *l);
    l->sessions = sessions_new();
    return l;
}

int64_t legacy_sessions(const struct service *s)
{
    return (int64_t)sessions_count(s->legacy->sessions);
}

static void remove_session(void *arg, struct session *session)
{
    legacy_stream_end_all(session);
    sessions_remove(arg, session);
}

void legacy_free(struct legacy *l)
{
    if (!l) return;
    sessions_each(l->sessions, remove_session, l->sessions);
    sessions_free(l->sessions);
    free(l);
}

/* Results have no resultType and no caching hints in these versions, and serverInfo was told in
 * initialize. */
static void result(struct exchange *x, const struct result *result)
{
    struct buf body = {0};
    struct buf text = {0};
    buf_addc(&body, '{');
    buf_add(&body, result->fields);
    if (result->meta.n) {
        buf_addz(&body, result->fields.n ? ",\"_meta\":" : "\"_meta\":");
        buf_add(&body, result->meta);
    }
    buf_addc(&body, '}');
    rpc_write_result(&text, x->message.id, buf_bytes(&body));
    exchange_send(x, 200, buf_bytes(&text));
    buf_free(&body);
    buf_free(&text);
}

/* Always fresh: the journal of a waiting call is the one in its struct call. */
static int open_journal(struct exchange *x, struct journal *j_r)
{
    journal_start(j_r, &x->service->entropy, clock_wall_ms());
    return 0;
}

/* The call goes on without its exchange. */
static void gone(struct exchange *x)
{
    if (x->call) call_detach(x->call);
}

static bool close_stream(const struct call *c)
{
    return legacy_stream_pause(c->x);
}

const struct era LEGACY = {
    .name = ERA_LEGACY,
    .text = "legacy",
    .result = result,
    .open_journal = open_journal,
    .started = legacy_call_started,
    .can_ask = legacy_call_can_ask,
    .ask = legacy_call_ask,
    .unsupported = legacy_call_unsupported,
    .close_stream = close_stream,
    .complete = legacy_call_complete,
    .expired = legacy_call_withdraw,
    .gone = gone,
    .ended = legacy_call_ended,
};

/* A channel without headers carries the id by itself, once there was an initialize; before, the
 * request may as well be one of 2026-07-28 that lacks what every request has there. */
static void refuse_without_session(struct exchange *x)
{
    if (x->has_headers)
        exchange_error(x, RPC_INVALID_REQUEST,
                       "Mcp-Session-Id is missing: send initialize first, then its session id with "
                       "every request");
    else
        exchange_error(x, RPC_INVALID_META,
                       "Send initialize first, or name the version of each request in "
                       "params._meta[\"io.modelcontextprotocol/protocolVersion\"]");
}

/* Returns the session of the request, or NULL with the request refused: 400 without an id, 404 for
 * one that is not (or no longer) there, or that is another principal's (2025-11-25
 * basic/transports, "Session Management"); 400 for a version that is no legacy one ("Protocol
 * Version Header"). A version that is missing is the negotiated one. */
static struct session *find_session(struct exchange *x)
{
    struct bytes id = x->channel->header(x, "Mcp-Session-Id");
    struct bytes version = x->channel->header(x, "MCP-Protocol-Version");
    if (!id.p) {
        refuse_without_session(x);
        return NULL;
    }
    struct session *session = sessions_find(x->service->legacy->sessions, id, x->principal);
    if (!session) {
        exchange_error(x, RPC_SESSION_NOT_FOUND, "Session not found: send initialize again");
        return NULL;
    }
    if (version.p && !legacy_message_version_known(version)) {
        exchange_error(x, RPC_INVALID_REQUEST,
                       "MCP-Protocol-Version names a version this session can't speak");
        return NULL;
    }
    session->used_ms = clock_mono_ms();
    x->owner = session;
    x->client = &session->client;
    return session;
}

static bool is_initialize(const struct json *root)
{
    return bytes_equal(json_string(json_get(root, "method")), BYTES("initialize"));
}

/* A refusal that comes before the message is looked at carries its id all the same, but not that
 * of a response: those ids are ours, and the client would take it for an answer to its own. */
static void note_id(struct exchange *x, const struct json *root)
{
    enum rpc_code code;
    const char *reason;
    rpc_read(root, &x->message, &code, &reason);
    if (x->message.kind == RPC_RESPONSE) x->message.id = (struct bytes){NULL, 0};
}

/* Only over HTTP is a connection lost and the client still there. */
static bool can_resume(const struct exchange *x)
{
    return x->has_headers && x->message.kind == RPC_REQUEST && x->message.id.n > 0;
}

void legacy_post(struct exchange *x, const struct json *root)
{
    x->era = &LEGACY;
    note_id(x, root);
    if (is_initialize(root)) {
        legacy_message_initialize(x, root, x->service->legacy->sessions);
        return;
    }
    struct session *session = find_session(x);
    if (!session) return;
    if (!json_is(root, JSON_ARRAY))
        legacy_message_post(can_resume(x) ? legacy_stream_begin(session, x) : x, root);
    else if (strcmp(session->version, "2025-03-26") == 0)
        batch_post(x, root, legacy_message_post);
    else
        exchange_error(x, RPC_INVALID_REQUEST, "Batches went with protocol version 2025-03-26");
}

void legacy_get(struct exchange *x)
{
    x->era = &LEGACY;
    struct session *session = find_session(x);
    if (!session) return;
    if (x->service->stopping) {
        exchange_error(x, RPC_BUSY, "The server is shutting down");
        return;
    }
    legacy_stream_listen(session, x);
}

static void end_session(struct service *s, struct session *session)
{
    while (session->calls) {
        struct call *c = session->calls;
        struct exchange *x = c->x; /* cancelling lets go of it, and may free the call */
        sessions_leave(session, c);
        c->owner = NULL;
        call_cancel(c);
        if (x) exchange_error(x, RPC_SESSION_NOT_FOUND, "The session was ended");
    }
    remove_session(s->legacy->sessions, session);
}

void legacy_delete(struct exchange *x)
{
    x->era = &LEGACY;
    struct session *session = find_session(x);
    if (!session) return;
    x->owner = NULL; /* the session is freed before this reply is sent */
    end_session(x->service, session);
    exchange_reply(x, &(struct reply){.status = 204});
}

static void tell(struct session *session, const char *method, struct bytes params)
{
    struct buf text = {0};
    rpc_write_notification(&text, bytes_of(method), params);
    legacy_stream_tell(session, buf_bytes(&text));
    buf_free(&text);
}

static void tell_lists(void *arg, struct session *session)
{
    unsigned lists = session->lists & *(const unsigned *)arg;
    for (unsigned list = 1; list <= lists; list <<= 1)
        if (lists & list) tell(session, capabilities_changed_method(list), (struct bytes){NULL, 0});
}

/* 2025-11-25 server/tools, "List Changed Notification", and the same of prompts and resources. */
void legacy_lists_changed(struct service *s, unsigned lists)
{
    sessions_each(s->legacy->sessions, tell_lists, &lists);
}

static void tell_updated(void *arg, struct session *session)
{
    const struct bytes *uri = arg;
    struct buf params = {0};
    if (!uris_has(&session->resources, *uri)) return;
    buf_addz(&params, "{\"uri\":");
    json_write_string(&params, *uri);
    buf_addc(&params, '}');
    tell(session, "notifications/resources/updated", buf_bytes(&params));
    buf_free(&params);
}

void legacy_resource_updated(struct service *s, struct bytes uri)
{
    sessions_each(s->legacy->sessions, tell_updated, &uri);
}

struct idle_check {
    struct service *service;
    int64_t before_ms;
};

static void end_if_idle(void *arg, struct session *session)
{
    const struct idle_check *check = arg;
    legacy_stream_sweep(session);
    if (!sessions_busy(session) && session->used_ms < check->before_ms)
        end_session(check->service, session);
}

void legacy_tick(struct service *s, int64_t now_ms)
{
    struct idle_check check = {s, now_ms - s->settings->session_idle * 1000};
    sessions_each(s->legacy->sessions, end_if_idle, &check);
}

static void stop_session(void *arg, struct session *session)
{
    struct service *s = arg;
    struct call *next;
    for (struct call *c = session->calls; c; c = next) {
        next = c->sibling;
        /* What runs, or has its answer, comes to its end; only who waits for a person would wait
         * too long. */
        if (c->state != CALL_ASKING || c->is_ready) continue;
        struct exchange *x = c->x;
        legacy_call_withdraw(c);
        call_cancel(c);
        if (x) exchange_error(x, RPC_INTERNAL_ERROR, "The server is shutting down");
    }
    legacy_stream_close_own(session);
    if (!session->calls) remove_session(s->legacy->sessions, session);
}

void legacy_stop(struct service *s)
{
    sessions_each(s->legacy->sessions, stop_session, s);
}
