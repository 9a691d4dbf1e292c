#include "call/task.h"

#include "call/base64url.h"
#include "wire/json_write.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const STATUSES[] = {"working", "input_required", "completed", "failed",
                                       "cancelled"};
enum { STATUS_COUNT = sizeof STATUSES / sizeof STATUSES[0] };

static int read_status(const struct json *v, enum task_status *status_r)
{
    for (unsigned i = 0; i < STATUS_COUNT; i++) {
        if (!bytes_equal(json_string(v), bytes_of(STATUSES[i]))) continue;
        *status_r = (enum task_status)i;
        return 0;
    }
    return -1;
}

static struct bytes raw(const struct json *v)
{
    return v ? v->raw : (struct bytes){NULL, 0};
}

int task_read(struct bytes row, struct arena *arena, struct task *t_r)
{
    struct json_error fault;
    const struct json *root = json_parse(arena, row, &JSON_LIMITS, &fault);
    *t_r = (struct task){
        .principal = json_string(json_get(root, "principal")),
        .tool = json_string(json_get(root, "tool")),
        .arguments = raw(json_get(root, "arguments")),
        .capabilities = raw(json_get(root, "capabilities")),
        .requests = raw(json_get(root, "requests")),
        .journal = json_string(json_get(root, "journal")),
        .outcome = raw(json_get(root, "outcome")),
    };
    bool whole = read_status(json_get(root, "status"), &t_r->status) == 0 &&
                 json_int(json_get(root, "created"), &t_r->created_ms) &&
                 json_int(json_get(root, "updated"), &t_r->updated_ms) &&
                 json_int(json_get(root, "ttl"), &t_r->ttl_ms) &&
                 json_int(json_get(root, "round"), &t_r->round);
    return whole && t_r->tool.p && t_r->arguments.p && t_r->capabilities.p ? 0 : -1;
}

static void add_text(struct buf *out, const char *before, struct bytes text)
{
    buf_addz(out, before);
    json_write_string(out, text);
}

static void add_int(struct buf *out, const char *before, int64_t value)
{
    buf_addz(out, before);
    buf_add_int(out, value);
}

static void add_json(struct buf *out, const char *before, struct bytes json)
{
    if (json.n == 0) return;
    buf_addz(out, before);
    buf_add(out, json);
}

void task_write(const struct task *t, struct buf *row)
{
    buf_printf(row, "{\"status\":\"%s\"", STATUSES[t->status]);
    add_text(row, ",\"principal\":", t->principal);
    add_text(row, ",\"tool\":", t->tool);
    add_int(row, ",\"created\":", t->created_ms);
    add_int(row, ",\"updated\":", t->updated_ms);
    add_int(row, ",\"ttl\":", t->ttl_ms);
    add_int(row, ",\"round\":", t->round);
    add_json(row, ",\"arguments\":", t->arguments);
    add_json(row, ",\"capabilities\":", t->capabilities);
    add_json(row, ",\"requests\":", t->requests);
    if (t->journal.n) add_text(row, ",\"journal\":", t->journal);
    add_json(row, ",\"outcome\":", t->outcome);
    buf_addc(row, '}');
}

bool task_is_over(const struct task *t)
{
    return t->status >= TASK_COMPLETED;
}

bool task_is_expired(const struct task *t, int64_t now_ms)
{
    return now_ms >= t->created_ms + t->ttl_ms;
}

static void add_time(struct buf *out, const char *before, int64_t ms)
{
    char text[32];
    struct tm at;
    time_t seconds = (time_t)(ms / 1000);
    gmtime_r(&seconds, &at);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &at);
    buf_printf(out, "%s\"%s.%03dZ\"", before, text, (int)(ms % 1000));
}

void task_describe(const struct task *t, struct bytes id, bool detailed, struct buf *out)
{
    enum { POLL_MS = 1000 };
    add_text(out, "\"taskId\":", id);
    buf_printf(out, ",\"status\":\"%s\"", STATUSES[t->status]);
    add_time(out, ",\"createdAt\":", t->created_ms);
    add_time(out, ",\"lastUpdatedAt\":", t->updated_ms);
    add_int(out, ",\"ttlMs\":", t->ttl_ms);
    add_int(out, ",\"pollIntervalMs\":", POLL_MS);
    if (!detailed) return;
    if (t->status == TASK_INPUT_REQUIRED) add_json(out, ",\"inputRequests\":", t->requests);
    if (t->status == TASK_COMPLETED) add_json(out, ",\"result\":", t->outcome);
    if (t->status == TASK_FAILED) add_json(out, ",\"error\":", t->outcome);
}

/* Moves what `b` holds to the arena. */
static struct bytes keep(struct buf *b, struct arena *arena)
{
    struct bytes copy = arena_copy(arena, buf_bytes(b));
    buf_free(b);
    return copy;
}

void task_keep_journal(struct task *t, const struct journal *j, struct arena *arena)
{
    struct buf bytes = {0}, text = {0};
    journal_encode(j, &bytes);
    base64url_add(&text, bytes.p, bytes.n);
    t->journal = keep(&text, arena);
    buf_free(&bytes);
}

void task_ask(struct task *t, const struct round *r, const struct journal *j, struct arena *arena)
{
    struct buf requests = {0}, key = {0};
    t->status = TASK_INPUT_REQUIRED;
    t->round++;
    for (size_t i = 0; i < r->n; i++) {
        const struct question *q = &r->questions[i];
        if (q->answer.n) continue;
        buf_clear(&key);
        buf_add(&key, buf_bytes(&q->key));
        buf_printf(&key, "-%lld", (long long)t->round);
        add_text(&requests, requests.n ? "," : "{", buf_bytes(&key));
        add_text(&requests, ":{\"method\":", buf_bytes(&q->method));
        add_json(&requests, ",\"params\":", buf_bytes(&q->params));
        buf_addc(&requests, '}');
    }
    buf_addc(&requests, '}');
    buf_free(&key);
    t->requests = keep(&requests, arena);
    task_keep_journal(t, j, arena);
}

/* The script's key within one of ours. */
static struct bytes script_key(struct bytes key)
{
    while (key.n > 0 && key.p[key.n - 1] != '-')
        key.n--;
    return (struct bytes){key.p, key.n ? key.n - 1 : 0};
}

/* Puts the answers into the journal, and what stays open into `left`. Returns how many came. */
static int take(const struct json *requests, const struct json *responses, struct journal *j,
                struct buf *left)
{
    int taken = 0;
    for (const struct json *key = json_first(requests); key; key = json_next(requests, key)) {
        const struct json *answer = json_get_bytes(responses, key->text);
        if (answer && journal_answer(j, script_key(key->text), answer->raw) == 0) {
            taken++;
            continue;
        }
        buf_addc(left, left->n ? ',' : '{');
        buf_add(left, key->raw);
        add_json(left, ":", json_value(key)->raw);
    }
    return taken;
}

bool task_answer(struct task *t, const struct json *responses, struct arena *arena)
{
    struct json_error fault;
    struct journal journal;
    struct buf left = {0};
    if (t->status != TASK_INPUT_REQUIRED || task_journal(t, &journal) != 0) return false;
    const struct json *requests = json_parse(arena, t->requests, &JSON_LIMITS, &fault);
    int taken = take(requests, responses, &journal, &left);
    if (taken > 0) {
        task_keep_journal(t, &journal, arena);
        if (left.n) buf_addc(&left, '}');
        if (!left.n) t->status = TASK_WORKING;
        t->requests = keep(&left, arena);
    }
    buf_free(&left);
    journal_free(&journal);
    return taken > 0;
}

int task_journal(const struct task *t, struct journal *j_r)
{
    struct buf bytes = {0};
    size_t n = 0;
    *j_r = (struct journal){0};
    if (t->journal.n == 0) return -1;
    int result = base64url_read(t->journal, buf_reserve(&bytes, t->journal.n), t->journal.n, &n);
    if (result == 0) result = journal_decode((struct bytes){bytes.p, n}, j_r);
    buf_free(&bytes);
    return result;
}
