#include "eras/legacy_call.h"

#include "eras/legacy_stream.h"
#include "script/offer.h"

void legacy_call_started(struct call *c)
{
    if (c->owner) sessions_enter(c->owner, c);
}

void legacy_call_ended(struct call *c)
{
    if (c->owner) sessions_leave(c->owner, c);
}

/* Only 2025-11-25 has -32042, ids of elicitations and news of their completion; a client of an
 * earlier version was found out before. */
static bool is_url(const struct question *q)
{
    return bytes_equal(buf_bytes(&q->capabilities), BYTES("elicitation.url"));
}

static bool is_required(const struct question *q)
{
    return q->required && !q->answer.n && is_url(q);
}

static bool has_required(const struct round *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (is_required(&r->questions[i])) return true;
    return false;
}

int legacy_call_can_ask(const struct call *c, struct error *error)
{
    if (c->x && has_required(&c->round)) return 0; /* an error needs no stream */
    if (c->service->stopping)
        return error_set(error, "The client can't be asked: the server is shutting down.");
    if (c->service->parked >= c->service->settings->parked_calls) {
        counters_add(&c->service->counters, COUNTER_PARKED_CALLS);
        return error_set(error,
                         "Too many calls wait for an answer (parked_calls); try again later.");
    }
    /* A legacy call outlives its stream, but has no other to ask on. */
    if (!c->x) return error_set(error, "The client can't be asked: it has disconnected.");
    if (exchange_open_stream(c->x) != 0)
        return error_set(error,
                         "The client can't be asked: its request came in a batch, or does not "
                         "accept an event stream (Accept: text/event-stream).");
    return 0;
}

/* Adds the params of a question, with an id if it is a URL elicitation. */
static void write_params(struct call *c, const struct question *q, struct buf *out)
{
    struct bytes params = buf_bytes(&q->params);
    if (is_url(q)) {
        const struct elicitation *e =
            elicitations_add(&c->elicitations, buf_bytes(&q->key), params);
        buf_printf(out, "{\"elicitationId\":\"%s\",", e->id);
        params = (struct bytes){params.p + 1, params.n - 1}; /* behind its brace; it has members */
    }
    buf_add(out, params);
}

/* 2025-11-25 client/elicitation, "URL Elicitation Required Error". */
static void end_with_required(struct call *c)
{
    struct buf data = {0};
    const char *before = "{\"elicitations\":[";
    for (size_t i = 0; i < c->round.n; i++) {
        if (!is_required(&c->round.questions[i])) continue;
        buf_addz(&data, before);
        before = ",";
        write_params(c, &c->round.questions[i], &data);
    }
    buf_addz(&data, "]}");
    exchange_error_data(c->x, RPC_URL_ELICITATION_REQUIRED,
                        "The request needs a URL elicitation to be completed first",
                        buf_bytes(&data));
    buf_free(&data);
    call_end(c);
}

static void send_question(struct call *c, struct question *q)
{
    struct buf params = {0};
    struct session *session = c->owner;
    struct buf id = {0};
    struct buf text = {0};
    q->id = session->next_question++;
    buf_add_int(&id, q->id);
    write_params(c, q, &params);
    rpc_write_request(&text, buf_bytes(&id), buf_bytes(&q->method), buf_bytes(&params));
    exchange_event(c->x, buf_bytes(&text));
    buf_free(&params);
    buf_free(&id);
    buf_free(&text);
}

void legacy_call_complete(struct call *c, const struct elicitation *e)
{
    struct buf params = {0};
    struct buf text = {0};
    buf_printf(&params, "{\"elicitationId\":\"%s\"}", e->id);
    rpc_write_notification(&text, BYTES("notifications/elicitation/complete"), buf_bytes(&params));
    if (c->x && c->x->streaming)
        exchange_event(c->x, buf_bytes(&text));
    else if (c->owner)
        legacy_stream_tell(c->owner, buf_bytes(&text));
    buf_free(&params);
    buf_free(&text);
}

void legacy_call_ask(struct call *c)
{
    if (has_required(&c->round)) {
        end_with_required(c);
        return;
    }
    /* Parked before it is sent: an answer can then not come too early. */
    call_park(c);
    for (size_t i = 0; i < c->round.n; i++)
        if (!c->round.questions[i].answer.n) send_question(c, &c->round.questions[i]);
}

/* These versions have no error for this, so it is an error of the tool. */
void legacy_call_unsupported(struct call *c, struct bytes capabilities)
{
    struct buf text = {0};
    struct bytes capability;
    const char *before = " needs a client that supports ";
    buf_add(&text, c->offer->name);
    for (; bytes_split(&capabilities, ' ', &capability); before = " and ") {
        buf_addz(&text, before);
        buf_add(&text, capability);
    }
    buf_addz(&text, "; this one did not declare it");
    if (bytes_compare(c->client->version, BYTES("2025-11-25")) < 0)
        buf_printf(&text, ", or its protocol version (%.*s) does not have it",
                   BYTES_ARG(c->client->version));
    buf_addc(&text, '.');
    call_fail(c, buf_bytes(&text));
    buf_free(&text);
}

static void withdraw(struct call *c, const struct question *q)
{
    struct buf params = {0};
    struct buf text = {0};
    buf_printf(&params, "{\"requestId\":%lld,\"reason\":\"the question was withdrawn\"}",
               (long long)q->id);
    rpc_write_notification(&text, BYTES("notifications/cancelled"), buf_bytes(&params));
    exchange_event(c->x, buf_bytes(&text));
    buf_free(&params);
    buf_free(&text);
}

void legacy_call_withdraw(struct call *c)
{
    if (!c->x || !c->x->streaming) return;
    for (size_t i = 0; i < c->round.n; i++) {
        const struct question *q = &c->round.questions[i];
        if (q->id && !q->answer.n) withdraw(c, q);
    }
}

/* Returns the open question of a call with that id, or NULL. */
static struct question *find_question(struct call *c, struct bytes id)
{
    struct question *found = NULL;
    struct buf text = {0};
    for (size_t i = 0; i < c->round.n && !found; i++) {
        struct question *q = &c->round.questions[i];
        buf_clear(&text);
        buf_add_int(&text, q->id);
        if (!q->answer.n && bytes_equal(buf_bytes(&text), id)) found = q;
    }
    buf_free(&text);
    return found;
}

/* Raised in the script, and maybe shown to somebody: a client's words are cut. The others of the
 * round have no use any more. */
static void refuse(struct call *c, struct question *q, const struct json *error)
{
    struct buf reason = {0};
    struct bytes message = json_string(json_get(error, "message"));
    buf_printf(&reason, "The client could not ask: %.*s", (int)(message.n < 200 ? message.n : 200),
               message.p);
    q->id = 0;
    legacy_call_withdraw(c);
    call_refuse(c, buf_text(&reason));
    buf_free(&reason);
}

void legacy_call_answered(struct session *session, const struct rpc_message *response)
{
    struct question *q = NULL;
    struct call *c = session->calls;
    for (; c; c = c->sibling) {
        q = c->state == CALL_ASKING && !c->is_ready ? find_question(c, response->id) : NULL;
        if (q) break;
    }
    if (!q) return;
    if (response->result)
        call_answer(c, buf_bytes(&q->key), response->result->raw);
    else
        refuse(c, q, response->error);
}

bool legacy_call_uses(const struct session *session, struct bytes id)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *given = json_parse(&arena, id, &JSON_LIMITS, &fault);
    const struct call *c = session->calls;
    while (c && !rpc_is_id(bytes_of(c->request_id), given))
        c = c->sibling;
    arena_free(&arena);
    return c != NULL;
}

void legacy_call_cancel(struct session *session, const struct json *id, struct bytes reason)
{
    struct call *c = session->calls;
    while (c && !rpc_is_id(bytes_of(c->request_id), id))
        c = c->sibling;
    if (!c) return;
    struct exchange *x = c->x;
    log_line(c->service->log, LOG_DEBUG, "%.*s: %.*s was cancelled by its client: %.*s",
             BYTES_ARG(c->offer->script), BYTES_ARG(c->offer->name), BYTES_ARG(reason));
    if (c->state == CALL_ASKING && !c->is_ready) legacy_call_withdraw(c);
    call_cancel(c);
    if (x) exchange_drop(x);
}
