#include "call/call.h"

#include "base/clock.h"
#include "base/mem.h"
#include "call/call_host.h"
#include "call/completion.h"
#include "call/escalation.h"
#include "call/file.h"
#include "call/refusal.h"
#include "script/grants.h"
#include "script/registry.h"

#include <stdlib.h>
#include <string.h>

static void go_on(struct call *c, enum run_state state);

static void link_call(struct call *c)
{
    struct service *s = c->service;
    c->next = s->calls;
    c->link = &s->calls;
    if (c->next) c->next->link = &c->next;
    s->calls = c;
    s->call_count++;
}

static void unlink_call(struct call *c)
{
    *c->link = c->next;
    if (c->next) c->next->link = c->link;
    c->service->call_count--;
}

/* The host's own time counts from here. */
static void start_clock(struct call *c)
{
    c->since_ms = clock_mono_ms();
    c->deadline_ms = c->since_ms + c->host_left_ms;
}

static void stop_clock(struct call *c)
{
    if (c->since_ms) c->host_left_ms -= clock_mono_ms() - c->since_ms;
    c->since_ms = 0;
}

static void set_state(struct call *c, enum call_state state)
{
    if (c->state == CALL_ASKING) c->service->parked--;
    if (state == CALL_ASKING) c->service->parked++;
    c->state = state;
}

void call_end(struct call *c)
{
    c->era->ended(c);
    completion_ended(c);
    if (c->x) c->x->call = NULL;
    if (c->fetch) c->service->fetch_cancel(c->service->fetch_arg, c->fetch);
    if (c->pause) c->service->pause_cancel(c->pause);
    set_state(c, CALL_RUNNING);
    if (c->is_ready) turns_remove(&c->service->turns, c);
    unlink_call(c);
    escalation_free(c);
    run_free(c->run);
    registry_release(c->generation);
    journal_free(&c->journal);
    staging_free(&c->staging);
    notices_close(&c->notices);
    uris_free(&c->updated);
    round_free(&c->round);
    elicitations_free(&c->elicitations);
    buf_free(&c->called_back);
    buf_free(&c->answer);
    arena_free(&c->held);
    arena_free(&c->kept);
    free(c->request_id);
    free(c->principal);
    free(c);
}

void call_fail(struct call *c, struct bytes text)
{
    if (c->x) refusal_failed(c->x, c->offer->kind, text);
    call_end(c);
}

void call_hide_store_error(const struct call *c, struct error *error)
{
    log_line(c->service->log, LOG_ERROR, "%.*s: %s %.*s: %s%s", BYTES_ARG(c->offer->script),
             offer_kind_text(c->offer->kind), BYTES_ARG(c->offer->name), error->text, c->trace);
    error_set(error, "The host could not use its store; nothing was stored.");
}

static struct call *of_job(struct store_job *job)
{
    return (struct call *)(void *)((char *)job - offsetof(struct call, job));
}

static void finish(struct call *c)
{
    notices_flush(c);
    completion_commit(c, false);
}

static void fail(struct call *c)
{
    counters_add(&c->service->counters, COUNTER_CALLS_FAILED);
    if (run_unsupported(c->run).n && c->x)
        c->era->unsupported(c, run_unsupported(c->run));
    else if (run_was_stopped(c->run))
        call_fail(c, run_failure(c->run));
    else
        completion_commit(c, true);
}

static void read_run(struct store_job *job, struct store *store)
{
    struct call *c = of_job(job);
    c->failed = staging_read(&c->staging, store, &c->read, &c->answer, &c->error) != 0;
}

/* The grants never change, so any thread may look. */
static int read_granted_file(struct call *c)
{
    const struct grant use = {.kind = GRANT_READ, .script = c->offer->script, .name = c->read.key};
    const struct settings *settings = c->service->settings;
    const struct grant *grant = grants_find(settings->grants, &use, &c->error);
    bool found;
    if (!grant) return -1;
    buf_addc(&c->answer, '\n');
    int result =
        file_read(settings->scripts, grant->name, c->read.key, &c->answer, &found, &c->error);
    if (!found) buf_clear(&c->answer);
    return result;
}

static void file_run(struct store_job *job, struct store *store)
{
    struct call *c = of_job(job);
    (void)store;
    c->failed = read_granted_file(c) != 0;
}

static void read_done(struct store_job *job)
{
    struct call *c = of_job(job);
    if (c->failed && c->read.kind != RUN_FILE) call_hide_store_error(c, &c->error);
    if (c->cancelled)
        call_end(c);
    else
        call_make_ready(c);
}

static void submit_read(struct call *c)
{
    struct service *s = c->service;
    bool file = c->read.kind == RUN_FILE;
    if (c->fetch || c->pause) return; /* it is on its way */
    c->job = (struct store_job){.run = file ? file_run : read_run, .done = read_done};
    if (file)
        s->work(s->work_arg, &c->job);
    else
        store_queue_submit(s->store, &c->job);
}

static void count_questions(const struct call *c)
{
    for (size_t i = 0; i < c->round.n; i++)
        if (!c->round.questions[i].answer.n) counters_add(&c->service->counters, COUNTER_QUESTIONS);
}

static void go_on(struct call *c, enum run_state state)
{
    if (state == RUN_ABANDONED || c->cancelled) {
        call_end(c);
    } else if (state == RUN_DONE) {
        finish(c);
    } else if (state == RUN_FAILED) {
        fail(c);
    } else if (state == RUN_SLICED) {
        c->slow = true;
        call_make_ready(c);
    } else if (c->state == CALL_READING) {
        submit_read(c);
    } else if (c->becomes_task) {
        escalation_begin(c);
    } else if (c->awaiting) {
        stop_clock(c);
        call_park(c);
        if (c->era->wait_ms) c->deadline_ms = clock_mono_ms() + c->era->wait_ms;
    } else {
        stop_clock(c);
        count_questions(c);
        c->era->ask(c);
    }
}

static void watch_client(struct call *c)
{
    run_watch(c->run, c->x && c->era->leaving_cancels ? exchange_socket(c->x) : -1);
}

static void open_trace(struct call *c)
{
    if (trace_read(json_get(c->x->message.params, "_meta"), c->trace) == 0) return;
    log_line(c->service->log, LOG_WARNING,
             "%.*s: %s %.*s: traceparent, tracestate or baggage in _meta is malformed, and ignored",
             BYTES_ARG(c->offer->script), offer_kind_text(c->offer->kind),
             BYTES_ARG(c->offer->name));
}

static struct call *new_call(struct exchange *x, const struct offer *offer, enum run_entry entry,
                             const struct json *arguments, struct journal *journal)
{
    struct call *c = mem_alloc(sizeof *c);
    c->service = x->service;
    c->era = x->era;
    c->x = x;
    c->client = x->client;
    c->owner = x->owner;
    c->request_id = mem_copy(x->message.id);
    c->principal = mem_copy(x->principal);
    c->generation = registry_hold(x->service->generation);
    c->offer = offer;
    c->entry = entry;
    c->arguments = arguments;
    c->journal = *journal;
    if (!c->era->finishing) ledger_read(&c->journal, &c->claim);
    notices_open(&c->notices, x->message.params);
    open_trace(c);
    c->staging.script = offer->script;
    c->host_left_ms = x->service->settings->call_timeout * 1000;
    x->call = c;
    counters_add(&c->service->counters, COUNTER_CALLS);
    link_call(c);
    c->era->started(c);
    return c;
}

/* Of a call that may outlive the message it came with: its tape goes with that. */
static void keep_arguments(struct call *c)
{
    struct json_error fault;
    struct bytes text = arena_copy(&c->kept, c->arguments->raw);
    c->arguments = json_parse(&c->kept, text, &JSON_LIMITS, &fault);
}

static void finish_turn(struct call *c, enum run_state state, int64_t since_us)
{
    turns_used(&c->service->turns, c, clock_mono_us() - since_us);
    c->slow = false;
    go_on(c, state);
}

void call_start(struct exchange *x, const struct offer *offer, enum run_entry entry,
                const struct json *arguments, struct journal *journal)
{
    struct service *s = x->service;
    if (s->stopping || s->call_count - s->parked >= s->settings->calls) {
        if (!s->stopping) counters_add(&s->counters, COUNTER_BUSY);
        journal_free(journal);
        exchange_error(x, RPC_BUSY,
                       s->stopping ? "The server is shutting down"
                                   : "Too many calls are running (calls); try again later");
        return;
    }
    struct call *c = new_call(x, offer, entry, arguments, journal);
    c->slow = turns_slow(&s->turns, offer->vm);
    bool later = c->slow || turns_over(&s->turns);
    if (later || !c->era->leaving_cancels) keep_arguments(c);
    if (later) {
        call_make_ready(c);
        return;
    }
    start_clock(c);
    completion_begin(c);
}

void call_run(struct call *c)
{
    const struct offer *offer = c->offer;
    c->state = CALL_RUNNING;
    c->run = run_new(offer->vm, &CALL_HOST, c, c->journal.started_ms, c->journal.seed, &c->error);
    if (!c->run) {
        log_line(c->service->log, LOG_ERROR, "%.*s: %s", BYTES_ARG(offer->script), c->error.text);
        call_fail(c, BYTES("The script has no memory left (vm_memory)."));
        return;
    }
    if (c->slow) run_set_long(c->run);
    run_set_trace(c->run, c->trace);
    watch_client(c);
    int64_t since_us = clock_mono_us();
    finish_turn(c, run_start(c->run, offer, c->entry, c->arguments), since_us);
}

void call_reset(struct call *c)
{
    run_free(c->run);
    c->run = NULL;
    staging_free(&c->staging);
    journal_rewind(&c->journal);
    uris_free(&c->updated);
    escalation_free(c);
    c->asked = 0;
    c->keys = 0;
    set_state(c, CALL_RUNNING);
}

void call_detach(struct call *c)
{
    c->x->call = NULL;
    c->x = NULL;
}

void call_make_ready(struct call *c)
{
    struct service *s = c->service;
    if (c->is_ready) return;
    stop_clock(c); /* waiting for its turn is not its own time */
    c->is_ready = true;
    turns_add(&s->turns, c);
    s->wake(s->wake_arg);
}

static void resume(struct call *c)
{
    if (!c->since_ms) start_clock(c);
    if (!c->run) {
        completion_begin(c);
        return;
    }
    struct buf answer = c->answer;
    const char *error = c->failed ? c->error.text : NULL;
    c->answer = (struct buf){0};
    c->failed = false;
    c->awaiting = false;
    set_state(c, CALL_RUNNING);
    watch_client(c);
    int64_t since_us = clock_mono_us();
    finish_turn(c, run_resume(c->run, buf_bytes(&answer), error), since_us);
    buf_free(&answer);
}

void call_run_ready(struct service *s)
{
    for (struct call *c; (c = turns_take(&s->turns));) {
        c->is_ready = false;
        resume(c);
    }
    if (turns_waiting(&s->turns)) s->wake(s->wake_arg);
}

void call_answer(struct call *c, struct bytes key, struct bytes json)
{
    if (c->state != CALL_ASKING || c->is_ready) return;
    if (journal_answer(&c->journal, key, json) != 0) return;
    if (round_take(&c->round, &c->journal) > 0) return;
    buf_clear(&c->answer);
    round_write_answers(&c->round, &c->answer);
    call_make_ready(c);
}

void call_refuse(struct call *c, const char *reason)
{
    if (c->state != CALL_ASKING || c->is_ready) return;
    c->failed = true;
    error_set(&c->error, "%s", reason);
    call_make_ready(c);
}

void call_called_back(struct service *s, const unsigned char call_id[SEAL_CALL_ID_BYTES],
                      struct bytes json)
{
    for (struct call *c = s->calls; c; c = c->next) {
        if (memcmp(c->journal.call_id, call_id, SEAL_CALL_ID_BYTES) != 0) continue;
        buf_clear(&c->called_back);
        buf_add(&c->called_back, json);
        if (c->state != CALL_ASKING || !c->awaiting || c->is_ready) continue;
        buf_clear(&c->answer);
        buf_add(&c->answer, json);
        call_make_ready(c);
    }
}

/* Ready to go on, a call that reads has its row already. */
static bool job_has(const struct call *c)
{
    bool waits = c->fetch || c->pause;
    return c->state == CALL_COMMITTING || (c->state == CALL_READING && !c->is_ready && !waits);
}

void call_cancel(struct call *c)
{
    if (c->x) c->x->call = NULL;
    c->x = NULL;
    c->cancelled = true;
    counters_add(&c->service->counters, COUNTER_CALLS_CANCELLED);
    if (!job_has(c)) call_end(c);
}

void call_park(struct call *c)
{
    set_state(c, CALL_ASKING);
    c->deadline_ms = clock_mono_ms() + c->service->settings->answer_timeout * 1000;
}

static void expire(struct call *c)
{
    struct error reason;
    const struct settings *settings = c->service->settings;
    if (c->state == CALL_ASKING && c->awaiting && c->era->come_again && !c->is_ready) {
        c->era->come_again(c);
    } else if (c->state == CALL_ASKING && !c->is_ready) {
        error_set(&reason, "Nobody %s within %lld seconds.",
                  c->awaiting ? "came back from the URL" : "answered",
                  (long long)settings->answer_timeout);
        counters_add(&c->service->counters, COUNTER_ANSWER_TIMEOUT);
        c->era->expired(c);
        call_fail(c, bytes_of(reason.text));
    } else if (c->state == CALL_READING || c->state == CALL_RUNNING) {
        error_set(&reason, "%.*s took more than %lld seconds (call_timeout).",
                  BYTES_ARG(c->offer->name), (long long)settings->call_timeout);
        counters_add(&c->service->counters, COUNTER_CALL_TIMEOUT);
        if (c->x) refusal_failed(c->x, c->offer->kind, bytes_of(reason.text));
        call_cancel(c);
    }
}

/* The time of a call that waits for its turn stands still. */
static bool is_late(const struct call *c, int64_t now_ms)
{
    if (c->is_ready && c->state != CALL_ASKING) return c->host_left_ms <= 0;
    return now_ms >= c->deadline_ms;
}

void call_tick(struct service *s, int64_t now_ms)
{
    struct call *next;
    for (struct call *c = s->calls; c; c = next) {
        next = c->next;
        notices_tick(c, now_ms);
        if (c->state == CALL_ASKING && !c->is_ready && run_is_lost(c->run)) {
            c->era->expired(c); /* nobody is to answer for nothing */
            call_refuse(c, "the script was loaded anew");
        } else if (is_late(c, now_ms) || (s->stopping && c->awaiting)) {
            expire(c);
        }
    }
}
