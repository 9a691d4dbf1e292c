#include "call/completion.h"

#include "base/clock.h"
#include "call/escalation.h"
#include "call/refusal.h"
#include "script/output.h"
#include "script/run.h"

#include <string.h>

static struct call *of_job(struct store_job *job)
{
    return (struct call *)(void *)((char *)job - offsetof(struct call, job));
}

static bool is_twin(const struct call *c, const struct call *other)
{
    return other != c && other->claim.needed &&
           memcmp(other->claim.call_id, c->claim.call_id, sizeof c->claim.call_id) == 0;
}

static bool must_wait(const struct call *c)
{
    for (const struct call *other = c->service->calls; other; other = other->next)
        if (other->leads && is_twin(c, other)) return true;
    return false;
}

static void look_run(struct store_job *job, struct store *store)
{
    struct call *c = of_job(job);
    c->outcome = ledger_look(store, &c->claim, &c->held, &c->verdict, &c->finished, &c->error);
}

/* What came of answers is nobody else's, and not to be kept: they are not part of what a cache goes
 * by (2026-07-28 server/utilities/caching, "Cache Key"). */
static void send_result(struct call *c, const struct ledger_result *r)
{
    bool read = c->offer->kind == OFFER_RESOURCE || c->offer->kind == OFFER_TEMPLATE;
    bool asked = c->journal.rounds > 0; /* as every call that the ledger knows */
    int64_t ttl_ms = asked ? 0 : run_ttl_ms(c->run);
    struct buf legacy = {0};
    struct result result = {
        .fields = r->fields,
        .meta = r->meta,
        .cacheable = read && c->entry == RUN_HANDLER,
        .ttl_ms = ttl_ms < 0 ? c->service->settings->resource_ttl : ttl_ms,
        .is_private = asked || !run_is_public(c->run),
    };
    if (c->era->name == ERA_LEGACY && c->offer->legacy_json.n) {
        output_without(result.fields, "structuredContent", &legacy);
        result.fields = buf_bytes(&legacy);
    }
    exchange_result(c->x, &result);
    buf_free(&legacy);
}

static void send(struct call *c, const struct ledger_result *r)
{
    switch (r->kind) {
    case LEDGER_RESULT:
        send_result(c, r);
        break;
    case LEDGER_TASK:
        exchange_result(c->x, &(struct result){.fields = r->fields, .type = "task"});
        break;
    case LEDGER_REFUSED:
        refusal_refused(c->x, c->offer->kind, r->text);
        break;
    case LEDGER_FAILED:
        refusal_failed(c->x, c->offer->kind, r->text);
        break;
    case LEDGER_LARGE:
        exchange_error(c->x, RPC_INVALID_PARAMS,
                       "This call is already finished; its result was too large to be kept");
    }
}

static void send_finished(struct call *c)
{
    if (c->verdict == LEDGER_SAME)
        send(c, &c->finished);
    else
        exchange_error(c->x, RPC_INVALID_PARAMS, "This call is already finished");
    call_end(c);
}

static void fail_store(struct call *c)
{
    call_hide_store_error(c, &c->error);
    call_fail(c, bytes_of(c->error.text));
}

static void look_done(struct store_job *job)
{
    struct call *c = of_job(job);
    if (c->cancelled) {
        call_end(c);
    } else if (c->outcome != 0) {
        fail_store(c);
    } else if (c->verdict != LEDGER_OPEN) {
        send_finished(c);
    } else {
        c->admitted = true;
        call_make_ready(c);
    }
}

void completion_begin(struct call *c)
{
    if (c->admitted || !c->claim.needed) {
        call_run(c);
        return;
    }
    if (must_wait(c)) return; /* completion_ended of the other makes it ready */
    c->leads = true;
    c->state = CALL_READING;
    c->job = (struct store_job){.run = look_run, .done = look_done};
    store_queue_submit(c->service->store, &c->job);
}

static struct ledger_result result_of(const struct call *c)
{
    struct bytes refusal = run_refusal(c->run);
    if (c->escalation)
        return (struct ledger_result){LEDGER_TASK, .fields = escalation_fields(c->escalation)};
    if (c->run_failed) return (struct ledger_result){LEDGER_FAILED, .text = run_failure(c->run)};
    if (refusal.p) return (struct ledger_result){LEDGER_REFUSED, .text = refusal};
    return (struct ledger_result){LEDGER_RESULT, run_fields(c->run), run_meta(c->run), {NULL, 0}};
}

static void commit_run(struct store_job *job, struct store *store)
{
    struct call *c = of_job(job);
    c->outcome = STORE_CHANGED;
    if (c->cancelled) return; /* before its turn had come: nothing is written */
    const struct ledger_result result = result_of(c);
    int64_t now_ms = clock_wall_ms();
    int64_t expires_ms = now_ms + c->service->settings->state_ttl * 1000 + SEAL_SKEW_MS;
    const struct ledger_writes with = {&c->staging, c->own, c->own_n};
    c->outcome = c->claim.needed ? ledger_commit(store, &c->claim, &with, &result, now_ms,
                                                 expires_ms, &c->error)
                                 : staging_commit(&c->staging, store, c->own, c->own_n, &c->error);
}

/* What it wrote is there for whoever reads the resource now. */
static void tell_updated(const struct call *c)
{
    const struct service *s = c->service;
    struct bytes rest = buf_bytes(&c->updated.text), uri;
    while (bytes_split(&rest, '\n', &uri))
        if (uri.n > 0) s->resource_updated(s->resource_updated_arg, uri);
}

static void send_own(struct call *c)
{
    const struct ledger_result result = result_of(c);
    if (result.kind == LEDGER_RESULT && !run_is_error(c->run)) tell_updated(c);
    if (c->x) send(c, &result);
    if (c->escalation) escalation_done(c);
    call_end(c);
}

/* Somebody else has changed what the call read, or finished it: from the top, with what the journal
 * knows. */
static void run_again(struct call *c)
{
    if (c->era->finishing && c->own_n) { /* which says whether there is anything left to run */
        c->era->come_again(c);
        return;
    }
    if (++c->runs == COMPLETION_RUNS) {
        call_fail(c, BYTES("What this call reads keeps changing; nothing was stored. Try again."));
        return;
    }
    call_reset(c);
    c->admitted = false;
    call_make_ready(c);
}

static void commit_done(struct store_job *job)
{
    struct call *c = of_job(job);
    if (c->outcome < 0)
        fail_store(c);
    else if (c->outcome == 0)
        send_own(c);
    else if (c->cancelled)
        call_end(c);
    else
        run_again(c);
}

static void submit_commit(struct call *c)
{
    c->state = CALL_COMMITTING;
    c->job = (struct store_job){.run = commit_run, .done = commit_done, .commits = true};
    store_queue_submit(c->service->store, &c->job);
}

void completion_escalate(struct call *c)
{
    staging_drop_writes(&c->staging);
    submit_commit(c);
}

/* Not the store's fault, so told to the client too: it is the one who can ask for less. */
static void fail_reads(struct call *c)
{
    struct error reason;
    error_set(&reason,
              "%.*s writes, and has read more rows than can be watched for changes (%d by their "
              "keys, %d MiB); nothing was stored.",
              BYTES_ARG(c->offer->name), READS_ROWS, READS_BYTES >> 20);
    log_line(c->service->log, LOG_ERROR, "%.*s: %s", BYTES_ARG(c->offer->script), reason.text);
    call_fail(c, bytes_of(reason.text));
}

void completion_commit(struct call *c, bool failed)
{
    c->run_failed = failed;
    if (failed || run_is_error(c->run) || run_refusal(c->run).p) staging_drop_writes(&c->staging);
    if (c->staging.n && c->staging.reads.lost) {
        fail_reads(c);
        return;
    }
    if (c->era->finishing && !failed) c->era->finishing(c);
    if (c->staging.n + c->own_n == 0 && !c->claim.needed) {
        send_own(c);
        return;
    }
    submit_commit(c);
}

void completion_ended(struct call *c)
{
    if (!c->leads) return;
    for (struct call *other = c->service->calls; other; other = other->next)
        if (is_twin(c, other) && !other->leads) call_make_ready(other);
}
