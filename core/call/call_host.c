#include "call/call_host.h"

#include "base/clock.h"
#include "call/call.h"
#include "call/callbacks.h"
#include "call/escalation.h"
#include "script/grants.h"
#include "script/limits.h"
#include "script/offer.h"
#include "wire/json_write.h"

#include <sodium.h>

enum { CALL_ID_TEXT = 2 * SEAL_CALL_ID_BYTES + 1 };

/* Why the journal took neither a question nor a `once` value of that name. */
static int explain(const struct journal *j, const char *what, struct bytes name,
                   struct error *error)
{
    if (name.n > JOURNAL_NAME_BYTES)
        return error_set(error, "%s has at most %d bytes", what, JOURNAL_NAME_BYTES);
    if (j->n >= JOURNAL_ENTRIES)
        return error_set(error, "a call asks and records at most %d times", JOURNAL_ENTRIES);
    return error_set(error, "%s is used for one thing: '%.*s' is taken", what, BYTES_ARG(name));
}

/* Whether the open questions can go out, and are noted. */
static enum run_answer ask_open(struct call *c, struct buf *missing, struct error *error)
{
    size_t known_entries = c->journal.n;
    const struct question *refused;
    round_missing(&c->round, c->client, missing);
    if (missing->n) {
        error_set(error, "The client can't be asked: it does not support %s.", buf_text(missing));
        return RUN_UNSUPPORTED;
    }
    if (c->era->can_ask(c, error) != 0) return RUN_REFUSED;
    if (c->journal.rounds >= (uint64_t)c->service->settings->rounds) {
        counters_add(&c->service->counters, COUNTER_ROUNDS);
        error_set(error, "The call asked more than %lld times (rounds).",
                  (long long)c->service->settings->rounds);
        return RUN_REFUSED;
    }
    if (round_note(&c->round, &c->journal, &refused) != 0) {
        explain(&c->journal, "a question's key", buf_bytes(&refused->key), error);
        return RUN_REFUSED;
    }
    if (c->journal.n > known_entries) c->journal.rounds++; /* not for asking the same again */
    return RUN_WAIT;
}

static enum run_answer ask(void *arg, const struct run_question *questions, size_t n,
                           struct buf *json, struct error *error)
{
    struct call *c = arg;
    if (c->entry == RUN_COMPLETE) {
        error_set(error, "complete must answer at once: it can't ask");
        return RUN_REFUSED;
    }
    if (round_set(&c->round, questions, n, &c->asked, error) != 0) return RUN_REFUSED;
    if (round_take(&c->round, &c->journal) > 0) return ask_open(c, json, error);
    round_write_answers(&c->round, json);
    return RUN_ANSWERED;
}

static void fetched(void *arg, struct bytes answer, const char *problem)
{
    struct call *c = arg;
    c->fetch = NULL;
    buf_add(&c->answer, answer);
    c->failed = problem != NULL;
    if (problem) error_set(&c->error, "%s", problem);
    call_make_ready(c);
}

static enum run_answer fetch(struct call *c, const struct run_read *r, struct error *error)
{
    struct service *s = c->service;
    int64_t left_ms = c->deadline_ms - clock_mono_ms();
    const struct service_fetch order = {
        .script = c->offer->script,
        .grants = s->settings->grants,
        .method = r->collection,
        .url = r->key,
        .headers = r->headers,
        .body = r->body,
        .timeout_ms = left_ms > 0 ? left_ms : 1,
        .done = fetched,
        .arg = c,
    };
    buf_clear(&c->answer);
    c->fetch = s->fetch(s->fetch_arg, &order, error);
    if (!c->fetch) return RUN_REFUSED;
    c->state = CALL_READING;
    return RUN_WAIT;
}

static enum run_answer read_row(struct call *c, const struct run_read *r, struct buf *json,
                                struct error *error)
{
    struct store_queue *queue = c->service->store;
    if (staging_check(r, error) != 0) return RUN_REFUSED;
    if (r->kind != RUN_FILE && store_queue_inline(queue)) {
        if (staging_read(&c->staging, store_queue_store(queue), r, json, error) == 0)
            return RUN_ANSWERED;
        call_hide_store_error(c, error);
        return RUN_REFUSED;
    }
    arena_free(&c->held);
    c->read = *r;
    c->read.collection = arena_copy(&c->held, r->collection);
    c->read.key = arena_copy(&c->held, r->key);
    c->read.owner = arena_copy(&c->held, r->owner);
    buf_clear(&c->answer);
    c->state = CALL_READING;
    return RUN_WAIT;
}

static void slept(void *arg)
{
    struct call *c = arg;
    c->pause = NULL;
    call_make_ready(c);
}

static enum run_answer sleep_for(struct call *c, int64_t ms)
{
    const struct service *s = c->service;
    buf_clear(&c->answer);
    c->pause = s->pause(s->pause_arg, ms, slept, c);
    c->state = CALL_READING;
    return RUN_WAIT;
}

static enum run_answer read(void *arg, const struct run_read *r, struct buf *json,
                            struct error *error)
{
    struct call *c = arg;
    struct buf key = {0};
    struct run_read row = *r;
    if (r->kind == RUN_FETCH) return fetch(c, r, error);
    if (r->kind == RUN_SLEEP) return sleep_for(c, r->limit);
    if (r->kind == RUN_CALLBACK) {
        callbacks_key(c, &key);
        row = (struct run_read){.kind = RUN_CALLBACK,
                                .owner = BYTES(CALLBACKS_OWNER),
                                .collection = BYTES(CALLBACKS_COLLECTION),
                                .key = buf_bytes(&key)};
    }
    enum run_answer answer = read_row(c, &row, json, error);
    buf_free(&key);
    return answer;
}

static int write(void *arg, const struct store_write *w, struct error *error)
{
    return staging_add(&((struct call *)arg)->staging, w, error);
}

static int granted(void *arg, const struct grant *use, struct error *error)
{
    const struct call *c = arg;
    return grants_find(c->service->settings->grants, use, error) ? 0 : -1;
}

static void call_id_text(const struct call *c, char text[CALL_ID_TEXT])
{
    sodium_bin2hex(text, CALL_ID_TEXT, c->journal.call_id, SEAL_CALL_ID_BYTES);
}

/* The call's start, its id, a number: sorts by time, differs between calls, is the same on a
 * replay. */
static void new_key(void *arg, struct buf *key)
{
    struct call *c = arg;
    char id[CALL_ID_TEXT];
    call_id_text(c, id);
    buf_printf(key, "%012llx-%s-%04u", (unsigned long long)c->journal.started_ms, id, c->keys++);
}

static struct bytes once(void *arg, struct bytes name)
{
    return journal_once(&((struct call *)arg)->journal, name);
}

static int set_once(void *arg, struct bytes name, struct bytes json, struct error *error)
{
    struct journal *j = &((struct call *)arg)->journal;
    if (journal_set_once(j, name, json) == 0) return 0;
    return explain(j, "ctx:once: a name", name, error);
}

static void write_log(void *arg, enum log_level level, struct bytes text, bool is_json)
{
    struct call *c = arg;
    notices_log(c, level, text, is_json);
    log_line(c->service->log, level, "%.*s: %.*s%s", BYTES_ARG(c->offer->script), BYTES_ARG(text),
             c->trace);
}

/* Looked at here because the loop, which will hear of it, can't while the script is on the C stack.
 */
static bool cancelled(void *arg)
{
    struct call *c = arg;
    if (c->x && c->era->leaving_cancels && limits_hung_up(exchange_socket(c->x)))
        c->cancelled = true;
    return c->cancelled;
}

static void progress(void *arg, double value, struct bytes members)
{
    notices_progress(arg, value, members);
}

static int updated(void *arg, struct bytes uri, struct error *error)
{
    return uris_add(&((struct call *)arg)->updated, uri, error);
}

static bool close_stream(void *arg)
{
    const struct call *c = arg;
    return c->era->close_stream(c);
}

static bool supports(void *arg, struct bytes capability)
{
    return client_supports(((struct call *)arg)->client, capability);
}

static void limited(void *arg, enum run_limit limit)
{
    static const enum counter counters[] = {
        [RUN_CPU] = COUNTER_CPU,
        [RUN_MEMORY] = COUNTER_MEMORY,
        [RUN_ALLOCATIONS] = COUNTER_ALLOCATIONS,
        [RUN_DROPPED] = COUNTER_VMS_DROPPED,
        [RUN_LOG] = COUNTER_LOG_CUT,
    };
    counters_add(&((struct call *)arg)->service->counters, counters[limit]);
}

static int callback(void *arg, struct buf *url, struct error *error)
{
    return callbacks_url(arg, url, error);
}

/* What came before it waited is there already, be it in this process alone or in the store. */
static enum run_answer await(void *arg, struct buf *json, struct error *error)
{
    struct call *c = arg;
    const struct service *s = c->service;
    if (c->called_back.n) {
        buf_add(json, buf_bytes(&c->called_back));
        return RUN_ANSWERED;
    }
    if (s->parked >= s->settings->parked_calls) {
        error_set(error, "Too many calls wait for an answer (parked_calls); try again later.");
        return RUN_REFUSED;
    }
    if (c->era->can_ask(c, error) != 0) return RUN_REFUSED;
    c->awaiting = true;
    return RUN_WAIT;
}

static enum run_answer become_task(void *arg)
{
    struct call *c = arg;
    c->becomes_task = escalation_is_due(c);
    return c->becomes_task ? RUN_WAIT : RUN_ANSWERED;
}

static void complete(void *arg, struct bytes key)
{
    struct call *c = arg;
    for (struct elicitation *e = c->elicitations.first; e; e = e->next) {
        if (e->complete || (key.n && !bytes_equal(bytes_of(e->key), key))) continue;
        e->complete = true;
        c->era->complete(c, e);
    }
}

static void describe(void *arg, struct buf *json)
{
    struct call *c = arg;
    char id[CALL_ID_TEXT];
    call_id_text(c, id);
    buf_addz(json, "{\"client\":");
    client_write(c->client, json);
    buf_printf(json, ",\"era\":\"%s\",\"call_id\":\"%s\",\"principal\":", c->era->text, id);
    json_write_string(json, bytes_of(c->principal));
    buf_addc(json, '}');
}

const struct run_host CALL_HOST = {
    .ask = ask,
    .read = read,
    .write = write,
    .granted = granted,
    .new_key = new_key,
    .once = once,
    .set_once = set_once,
    .log = write_log,
    .progress = progress,
    .updated = updated,
    .close_stream = close_stream,
    .cancelled = cancelled,
    .supports = supports,
    .limited = limited,
    .callback = callback,
    .await = await,
    .become_task = become_task,
    .complete = complete,
    .describe = describe,
};
