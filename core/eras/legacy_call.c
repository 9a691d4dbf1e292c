#include "eras/legacy_call.h"

#include "script/registry.h"

void legacy_call_started(struct call *c)
{
    if (c->owner) sessions_enter(c->owner, c);
}

void legacy_call_ended(struct call *c)
{
    if (c->owner) sessions_leave(c->owner, c);
}

int legacy_call_can_ask(const struct call *c, struct error *error)
{
    if (c->service->stopping)
        return error_set(error, "The client can't be asked: the server is shutting down.");
    if (c->service->parked >= c->service->settings->parked_calls)
        return error_set(error,
                         "Too many calls wait for an answer (parked_calls); try again later.");
    /* A legacy call outlives its stream, but has no other to ask on. */
    if (!c->x) return error_set(error, "The client can't be asked: it has disconnected.");
    if (exchange_open_stream(c->x) != 0)
        return error_set(error,
                         "The client can't be asked: its request came in a batch, or does not "
                         "accept an event stream (Accept: text/event-stream).");
    return 0;
}

static void question_id(const struct call *c, struct buf *out)
{
    buf_add_int(out, c->question_id);
}

void legacy_call_ask(struct call *c)
{
    struct session *session = c->owner;
    struct buf id = {0};
    struct buf text = {0};
    c->question_id = session->next_question++;
    question_id(c, &id);
    rpc_write_request(&text, buf_bytes(&id), buf_bytes(&c->question.method),
                      buf_bytes(&c->question.params));
    /* Parked before it is sent: an answer can then not come too early. */
    call_park(c);
    exchange_event(c->x, buf_bytes(&text));
    buf_free(&id);
    buf_free(&text);
}

/* These versions have no error for this, so it is an error of the tool. */
void legacy_call_unsupported(struct call *c, struct bytes capability)
{
    struct buf text = {0};
    buf_printf(&text, "%.*s needs a client that supports %.*s; this one did not declare it.",
               BYTES_ARG(c->tool->name), BYTES_ARG(capability));
    call_fail(c, buf_bytes(&text));
    buf_free(&text);
}

void legacy_call_withdraw(struct call *c)
{
    struct buf params = {0};
    struct buf text = {0};
    if (!c->x || !c->x->streaming) return;
    buf_addz(&params, "{\"requestId\":");
    question_id(c, &params);
    buf_addz(&params, ",\"reason\":\"the question was withdrawn\"}");
    rpc_write_notification(&text, BYTES("notifications/cancelled"), buf_bytes(&params));
    exchange_event(c->x, buf_bytes(&text));
    buf_free(&params);
    buf_free(&text);
}

static struct call *find_asking(struct session *session, struct bytes id)
{
    struct call *found = NULL;
    struct buf text = {0};
    for (struct call *c = session->calls; c && !found; c = c->sibling) {
        if (c->state != CALL_ASKING) continue;
        buf_clear(&text);
        question_id(c, &text);
        if (bytes_equal(buf_bytes(&text), id)) found = c;
    }
    buf_free(&text);
    return found;
}

void legacy_call_answered(struct session *session, const struct rpc_message *response)
{
    struct call *c = find_asking(session, response->id);
    struct buf reason = {0};
    if (!c) return;
    if (response->result) {
        call_answer(c, response->result->raw);
        return;
    }
    /* Raised in the script, and maybe shown to somebody: a client's words are cut. */
    struct bytes message = json_string(json_get(response->error, "message"));
    buf_printf(&reason, "The client could not ask: %.*s", (int)(message.n < 200 ? message.n : 200),
               message.p);
    call_refuse(c, buf_text(&reason));
    buf_free(&reason);
}

/* Ids are compared by value: a client may escape a string in more than one way. */
static bool is_request(const struct call *c, const struct json *id)
{
    struct arena arena = {0};
    struct json_error fault;
    bool same = json_equal(json_parse(&arena, bytes_of(c->request_id), &JSON_LIMITS, &fault), id);
    arena_free(&arena);
    return same;
}

bool legacy_call_uses(const struct session *session, struct bytes id)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *given = json_parse(&arena, id, &JSON_LIMITS, &fault);
    const struct call *c = session->calls;
    while (c && !is_request(c, given))
        c = c->sibling;
    arena_free(&arena);
    return c != NULL;
}

void legacy_call_cancel(struct session *session, const struct json *id)
{
    struct call *c = session->calls;
    while (c && !is_request(c, id))
        c = c->sibling;
    if (!c) return;
    struct exchange *x = c->x;
    if (c->state == CALL_ASKING) legacy_call_withdraw(c);
    call_cancel(c);
    if (!x) return;
    /* JSON-RPC wants no response here, but HTTP does: the empty one. */
    if (x->streaming)
        exchange_close_stream(x);
    else
        exchange_reply(x, &(struct reply){.status = 202});
}
