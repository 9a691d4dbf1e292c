#include "eras/modern_call.h"

#include "base/clock.h"
#include "eras/modern_reply.h"
#include "wire/json_write.h"

#include <string.h>

/* Fills in what a state of this request is bound to. Arguments that are left out are the same as
 * empty ones, as they are to the tool. */
static struct seal_claim claim_of(struct exchange *x)
{
    struct seal_claim claim = {
        .method = x->message.method,
        .target = rpc_target(&x->message),
        .principal = x->principal,
        .audience = bytes_of(x->service->settings->name),
    };
    const struct json *arguments = json_get(x->message.params, "arguments");
    struct buf canonical = {0};
    if (arguments)
        json_write_canonical(&canonical, arguments);
    else
        buf_addz(&canonical, "{}");
    seal_digest(buf_bytes(&canonical), claim.arguments);
    buf_free(&canonical);
    return claim;
}

/* One text for every fault: a better one would tell a forger how far they came. Returns -1. */
static int refuse(struct exchange *x, enum seal_fault fault)
{
    struct service *s = x->service;
    s->seal_faults[fault]++;
    counters_add(&s->counters, COUNTER_STATES_REFUSED);
    log_line(s->log, LOG_WARNING, "a requestState for %.*s was refused: %s",
             BYTES_ARG(rpc_target(&x->message)), seal_fault_name(fault));
    exchange_error(x, RPC_INVALID_PARAMS, "Invalid or expired requestState");
    return -1;
}

/* Puts the client's answers to the questions that are open. By the journal and not by the answers:
 * what the client sends beside them is never looked at. */
static void take_answers(const struct json *responses, struct journal *j)
{
    for (size_t i = 0; i < j->n; i++) {
        if (j->entries[i].kind != JOURNAL_OPEN) continue;
        const struct json *answer = json_get_bytes(responses, j->entries[i].key);
        if (answer) journal_answer(j, j->entries[i].key, answer->raw);
    }
}

int modern_call_open(struct exchange *x, struct journal *j_r)
{
    const struct json *state = json_get(x->message.params, "requestState");
    struct seal_claim claim;
    struct bytes payload;
    if (!state) {
        journal_start(j_r, &x->service->entropy, clock_wall_ms());
        return 0;
    }
    struct seal_claim expected = claim_of(x);
    enum seal_fault fault = seal_open(&x->service->settings->keys, json_string(state), &expected,
                                      clock_wall_ms(), &x->arena, &claim, &payload);
    if (fault != SEAL_OK) return refuse(x, fault);
    /* It opened, so we sealed it: another version of us, with another layout. */
    if (journal_decode(payload, j_r) != 0) return refuse(x, SEAL_MALFORMED);
    take_answers(json_get(x->message.params, "inputResponses"), j_r);
    return 0;
}

int modern_call_can_ask(const struct call *c, struct error *error)
{
    (void)c;
    (void)error; /* every reply can carry a question */
    return 0;
}

/* Each round has its own expiry: a person has the whole of state_ttl for every question. */
static int seal_journal(struct call *c, struct buf *state)
{
    const struct settings *settings = c->service->settings;
    struct seal_claim claim = claim_of(c->x);
    struct buf payload = {0};
    memcpy(claim.call_id, c->journal.call_id, sizeof claim.call_id);
    claim.issued_ms = clock_wall_ms();
    claim.expires_ms = claim.issued_ms + settings->state_ttl * 1000;
    journal_encode(&c->journal, &payload);
    int result = seal_close(&settings->keys, &claim, buf_bytes(&payload), state);
    buf_free(&payload);
    return result;
}

/* Adds "inputRequests":{key: request, …}. */
static void write_requests(const struct round *r, struct buf *out)
{
    const char *before = "\"inputRequests\":{";
    for (size_t i = 0; i < r->n; i++) {
        const struct question *q = &r->questions[i];
        if (q->answer.n) continue;
        buf_addz(out, before);
        before = ",";
        json_write_string(out, buf_bytes(&q->key));
        buf_addz(out, ":{\"method\":");
        json_write_string(out, buf_bytes(&q->method));
        if (q->params.n) buf_addz(out, ",\"params\":");
        buf_add(out, buf_bytes(&q->params));
        buf_addc(out, '}');
    }
    buf_addc(out, '}');
}

/* Replies with the sealed journal behind `fields`, and ends the call. */
static void reply_with_state(struct call *c, struct buf *fields)
{
    struct buf state = {0};
    if (seal_journal(c, &state) != 0) {
        counters_add(&c->service->counters, COUNTER_STATE_TOO_LARGE);
        buf_free(&state);
        call_fail(c,
                  BYTES("The call has learned too much to ask on: its requestState would be larger "
                        "than 64 KiB."));
        return;
    }
    buf_addz(fields, "\"requestState\":\"");
    buf_add(fields, buf_bytes(&state));
    buf_addc(fields, '"');
    modern_reply_typed(c->x, "input_required", &(struct result){.fields = buf_bytes(fields)});
    buf_free(&state);
    call_end(c);
}

void modern_call_ask(struct call *c)
{
    struct buf fields = {0};
    write_requests(&c->round, &fields);
    buf_addc(&fields, ',');
    reply_with_state(c, &fields);
    buf_free(&fields);
}

void modern_call_come_again(struct call *c)
{
    struct buf fields = {0};
    reply_with_state(c, &fields);
    buf_free(&fields);
}

void modern_call_unsupported(struct call *c, struct bytes capabilities)
{
    struct buf data = {0};
    buf_addz(&data, "{\"requiredCapabilities\":");
    client_write_required(capabilities, &data);
    buf_addc(&data, '}');
    exchange_error_data(c->x, RPC_CAPABILITY_MISSING, "Missing required client capability",
                        buf_bytes(&data));
    buf_free(&data);
    call_end(c);
}
