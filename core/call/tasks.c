#include "call/tasks.h"

#include "base/clock.h"
#include "base/mem.h"
#include "call/era.h"
#include "call/task_run.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_MS = 60 * 1000,
    TRIES = 8, /* at a row that others change at the same time */
};

/* One request on its way to the store and back. */
struct request {
    struct store_job job;
    struct service *service;
    struct exchange *x; /* NULL once the client is gone */
    /* Changes the task; returns whether there is something to write. NULL: just read it. */
    bool (*change)(struct request *r, struct task *t);
    bool creates;
    char id[TASK_ID_CHARS + 1];
    struct bytes principal;
    const struct json *responses;
    struct arena arena; /* what the rest points into */
    struct buf row;     /* as the store has it now */
    int result;         /* of the store: 0, -1, or STORE_CHANGED for ever */
    bool found, changed;
    struct error error;
};

static struct request *of_job(struct store_job *job)
{
    return (struct request *)(void *)((char *)job - offsetof(struct request, job));
}

static struct request *new_request(struct exchange *x)
{
    struct request *r = mem_alloc(sizeof *r);
    r->service = x->service;
    r->x = x;
    r->principal = arena_copy(&r->arena, x->principal);
    x->waiting = &r->x;
    return r;
}

static void free_request(struct request *r)
{
    arena_free(&r->arena);
    buf_free(&r->row);
    free(r);
}

/* On the store's thread: the row of r->id, if it is one that its client may see. */
static int read_row(struct request *r, struct store *store, struct task *t_r)
{
    bool there;
    buf_clear(&r->row);
    if (store_get(store, BYTES(TASK_RUN_OWNER), BYTES(TASK_RUN_COLLECTION), bytes_of(r->id),
                  &r->row, &there, &r->error) != 0)
        return -1;
    struct bytes row = arena_copy(&r->arena, buf_bytes(&r->row));
    r->found = there && task_read(row, &r->arena, t_r) == 0 &&
               bytes_equal(t_r->principal, r->principal) && !task_is_expired(t_r, clock_wall_ms());
    return 0;
}

static int write_row(struct request *r, struct store *store, struct bytes from,
                     const struct task *t)
{
    struct store_write writes[2];
    buf_clear(&r->row);
    task_write(t, &r->row);
    task_run_change(writes, bytes_of(r->id), from, buf_bytes(&r->row));
    return store_commit(store, writes, 2, &r->error);
}

/* Reads, changes and writes until nobody else comes between. */
static void run(struct store_job *job, struct store *store)
{
    struct request *r = of_job(job);
    struct task t;
    r->result = STORE_CHANGED;
    for (int i = 0; i < TRIES && r->result == STORE_CHANGED; i++) {
        r->result = read_row(r, store, &t);
        if (r->result != 0 || !r->found || !r->change) return;
        struct bytes from = arena_copy(&r->arena, buf_bytes(&r->row));
        r->changed = r->change(r, &t);
        if (!r->changed) return;
        t.updated_ms = clock_wall_ms();
        r->result = write_row(r, store, from, &t);
    }
}

static void run_create(struct store_job *job, struct store *store)
{
    struct request *r = of_job(job);
    struct store_write writes[2];
    task_run_change(writes, bytes_of(r->id), (struct bytes){NULL, 0}, buf_bytes(&r->row));
    r->result = store_commit(store, writes, 2, &r->error);
    r->found = r->result == 0;
}

static void reply_task(struct request *r, const struct task *t)
{
    struct buf fields = {0};
    struct result result = {.type = r->creates ? "task" : NULL};
    if (!r->change) task_describe(t, bytes_of(r->id), !r->creates, &fields);
    result.fields = buf_bytes(&fields);
    exchange_result(r->x, &result);
    buf_free(&fields);
}

static void reply(struct request *r, const struct task *t)
{
    r->x->waiting = NULL;
    if (r->result != 0) {
        log_line(r->service->log, LOG_ERROR, "a task could not be stored: %s",
                 r->result < 0 ? r->error.text : "others change it all the time");
        exchange_error(r->x, RPC_INTERNAL_ERROR, "The host could not use its store");
    } else if (!r->found) {
        exchange_error(r->x, RPC_INVALID_PARAMS,
                       "Task not found: there is none of this taskId, or its ttlMs is over");
    } else {
        reply_task(r, t);
    }
}

static bool cancel(struct request *r, struct task *t)
{
    (void)r;
    if (task_is_over(t)) return false;
    t->status = TASK_CANCELLED;
    t->requests = t->journal = (struct bytes){NULL, 0};
    return true;
}

static void submit(struct request *r, void (*work)(struct store_job *job, struct store *s));

/* Nobody knows the id of a task whose client has left. */
static void drop(struct request *r)
{
    r->change = cancel;
    r->creates = false;
    submit(r, run);
}

static void done(struct store_job *job)
{
    struct request *r = of_job(job);
    struct service *s = r->service;
    struct task t = {0};
    bool good = r->result == 0 && r->found && task_read(buf_bytes(&r->row), &r->arena, &t) == 0;
    if (r->x) {
        reply(r, &t);
    } else if (good && r->creates) {
        drop(r);
        return;
    }
    if (good && r->changed && t.status == TASK_CANCELLED) task_run_cancel(s, bytes_of(r->id));
    if (good && (r->changed || r->creates) && t.status == TASK_WORKING)
        task_run_start(s, bytes_of(r->id), buf_bytes(&r->row));
    free_request(r);
}

static void submit(struct request *r, void (*work)(struct store_job *job, struct store *s))
{
    r->job = (struct store_job){.run = work, .done = done};
    store_queue_submit(r->service->store, &r->job);
}

int tasks_check_client(struct exchange *x)
{
    if (client_extends(x->client, TASKS_EXTENSION)) return 0;
    exchange_error_data(
        x, RPC_CAPABILITY_MISSING, "Missing required client capability",
        BYTES("{\"requiredCapabilities\":{\"extensions\":{\"" TASKS_EXTENSION "\":{}}}}"));
    return -1;
}

struct task tasks_begin(const struct service *s, struct bytes principal, struct bytes tool,
                        struct bytes arguments, const struct client *client)
{
    int64_t now_ms = clock_wall_ms();
    return (struct task){.status = TASK_WORKING,
                         .principal = principal,
                         .tool = tool,
                         .arguments = arguments,
                         .capabilities = client->capabilities->raw,
                         .created_ms = now_ms,
                         .updated_ms = now_ms,
                         .ttl_ms = s->settings->task_ttl * 1000};
}

void tasks_new_id(struct service *s, char id[TASK_ID_CHARS + 1])
{
    unsigned char random[TASK_ID_CHARS / 2];
    entropy_take(&s->entropy, random, sizeof random);
    sodium_bin2hex(id, TASK_ID_CHARS + 1, random, sizeof random);
}

void tasks_forget(struct service *s, struct bytes principal, const char id[TASK_ID_CHARS + 1])
{
    struct request *r = mem_alloc(sizeof *r);
    r->service = s;
    r->principal = arena_copy(&r->arena, principal);
    memcpy(r->id, id, sizeof r->id);
    drop(r);
}

/* The journal begins with the task, so that a run after a crash has the same call id. */
static void write_new(struct request *r, const struct offer *tool, struct bytes arguments)
{
    struct service *s = r->service;
    struct journal journal;
    struct task t = tasks_begin(s, r->principal, tool->name, arguments, r->x->client);
    journal_start(&journal, &s->entropy, t.created_ms);
    task_keep_journal(&t, &journal, &r->arena);
    journal_free(&journal);
    task_write(&t, &r->row);
}

void tasks_create(struct exchange *x, const struct offer *tool, struct bytes arguments)
{
    struct service *s = x->service;
    if (s->stopping || s->task_count >= TASKS_MOST) {
        exchange_error(x, RPC_BUSY,
                       s->stopping ? "The server is shutting down"
                                   : "Too many tasks are kept; try again later");
        return;
    }
    struct request *r = new_request(x);
    tasks_new_id(s, r->id);
    r->creates = true;
    write_new(r, tool, arguments);
    if (r->row.n > STORE_VALUE_BYTES) {
        x->waiting = NULL;
        exchange_error(x, RPC_INVALID_PARAMS, "The arguments are larger than a task may keep");
        free_request(r);
        return;
    }
    s->task_count++;
    submit(r, run_create);
}

static void start(struct exchange *x, bool (*change)(struct request *r, struct task *t))
{
    struct bytes id = json_string(json_get(x->message.params, "taskId"));
    const struct json *responses = json_get(x->message.params, "inputResponses");
    struct json_error fault;
    if (tasks_check_client(x) != 0) return;
    if (!id.p) {
        exchange_error(x, RPC_INVALID_PARAMS, "params.taskId must be the id of a task");
        return;
    }
    struct request *r = new_request(x);
    /* Longer, or with a NUL in it, it is cut to what no task is called. */
    snprintf(r->id, sizeof r->id, "%.*s", id.n > TASK_ID_CHARS ? 1 : (int)id.n, id.p);
    if (r->id[0] == '\0') r->id[0] = '-';
    r->change = change;
    if (responses)
        r->responses =
            json_parse(&r->arena, arena_copy(&r->arena, responses->raw), &JSON_LIMITS, &fault);
    submit(r, run);
}

static bool answer(struct request *r, struct task *t)
{
    return task_answer(t, r->responses, &r->arena);
}

void tasks_get(struct exchange *x)
{
    start(x, NULL);
}

void tasks_update(struct exchange *x)
{
    if (tasks_check_client(x) != 0) return;
    if (!json_is(json_get(x->message.params, "inputResponses"), JSON_OBJECT))
        exchange_error(x, RPC_INVALID_PARAMS, "params.inputResponses must be an object");
    else
        start(x, answer);
}

void tasks_cancel(struct exchange *x)
{
    start(x, cancel);
}

/* A look through all tasks. */
struct look {
    struct store_job job;
    struct service *service;
    struct arena arena;
    struct found {
        struct bytes id, row;
        struct found *next;
    } * found; /* those to be run */
    int64_t now_ms, count;
    struct store_write *expired;
    size_t expired_count;
    struct error error;
    int result;
};

static int visit(void *arg, struct bytes id, struct bytes row)
{
    struct look *l = arg;
    struct arena arena = {0};
    struct task t;
    bool good = task_read(row, &arena, &t) == 0;
    if (!good || task_is_expired(&t, l->now_ms)) {
        task_run_change(&l->expired[l->expired_count], arena_copy(&l->arena, id),
                        (struct bytes){NULL, 0}, (struct bytes){NULL, 0});
        l->expired[l->expired_count++].kind = STORE_DELETE;
    } else {
        l->count++;
        if (t.status == TASK_WORKING) {
            struct found *f = arena_alloc(&l->arena, sizeof *f);
            *f = (struct found){arena_copy(&l->arena, id), arena_copy(&l->arena, row), l->found};
            l->found = f;
        }
    }
    arena_free(&arena);
    return 0;
}

static void look_run(struct store_job *job, struct store *store)
{
    struct look *l = (struct look *)(void *)job;
    l->result = store_list(store, BYTES(TASK_RUN_OWNER), BYTES(TASK_RUN_COLLECTION),
                           (struct bytes){NULL, 0}, STORE_LIST_ROWS, visit, l, &l->error);
    if (l->result == 0 && l->expired_count)
        l->result = store_commit(store, l->expired, l->expired_count, &l->error);
}

static void look_done(struct store_job *job)
{
    struct look *l = (struct look *)(void *)job;
    struct service *s = l->service;
    s->tasks_looking = false;
    if (l->result != 0)
        log_line(s->log, LOG_ERROR, "the tasks could not be looked through: %s", l->error.text);
    else
        s->task_count = l->count;
    for (const struct found *f = l->found; f; f = f->next)
        task_run_start(s, f->id, f->row);
    arena_free(&l->arena);
    free(l->expired);
    free(l);
}

void tasks_tick(struct service *s, int64_t now_ms)
{
    if (s->stopping || s->tasks_looking || now_ms < s->tasks_look_ms) return;
    struct look *l = mem_alloc(sizeof *l);
    l->service = s;
    l->now_ms = clock_wall_ms();
    l->expired = mem_alloc((STORE_LIST_ROWS + 1) * sizeof *l->expired);
    l->job = (struct store_job){.run = look_run, .done = look_done};
    s->tasks_looking = true;
    s->tasks_look_ms = now_ms + LOOK_MS;
    store_queue_submit(s->store, &l->job);
}
