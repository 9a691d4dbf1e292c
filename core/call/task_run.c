#include "call/task_run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "call/call.h"
#include "call/refusal.h"
#include "call/task.h"
#include "script/registry.h"

#include <stdlib.h>

struct task_run {
    struct exchange face; /* first: the channel's functions find the rest by it */
    struct service *service;
    struct client client;
    struct arena arena; /* what the others point into */
    struct bytes id, row;
    struct task task;
    struct store_write writes[2]; /* of the outcome, with the call's own */
    bool committing;              /* the outcome goes with the call's own writes */
    bool saving;                  /* `job` is under way */
    struct store_job job;         /* of a row that is written alone */
    struct buf next;
    int saved;
    struct error error;
    struct task_run *after, **link; /* of service->task_runs */
};

void task_run_change(struct store_write writes[2], struct bytes id, struct bytes from,
                     struct bytes to)
{
    struct store_write row = {
        .script = BYTES(TASK_RUN_OWNER), .collection = BYTES(TASK_RUN_COLLECTION), .key = id};
    writes[0] = writes[1] = row;
    writes[0].kind = STORE_EXPECT;
    writes[0].value = from;
    writes[1].kind = STORE_PUT;
    writes[1].value = to;
}

static struct task_run *find(const struct service *s, struct bytes id)
{
    struct task_run *t = s->task_runs;
    while (t && !bytes_equal(t->id, id))
        t = t->after;
    return t;
}

bool task_run_is_on(const struct service *s, struct bytes id)
{
    return find(s, id) != NULL;
}

/* Frees it unless its call or its job still needs it. */
static void let_go(struct task_run *t)
{
    if (t->face.call || t->saving) return;
    *t->link = t->after;
    if (t->after) t->after->link = t->link;
    exchange_free(&t->face);
    arena_free(&t->arena);
    buf_free(&t->next);
    free(t);
}

static struct task_run *of_job(struct store_job *job)
{
    return (struct task_run *)(void *)((char *)job - offsetof(struct task_run, job));
}

static void save_run(struct store_job *job, struct store *store)
{
    struct task_run *t = of_job(job);
    struct store_write writes[2];
    task_run_change(writes, t->id, t->row, buf_bytes(&t->next));
    t->saved = store_commit(store, writes, 2, &t->error);
}

/* STORE_CHANGED is no fault: the task was cancelled, or ran elsewhere too. */
static void save_done(struct store_job *job)
{
    struct task_run *t = of_job(job);
    if (t->saved < 0)
        log_line(t->service->log, LOG_ERROR, "a task of %.*s could not be stored: %s",
                 BYTES_ARG(t->task.tool), t->error.text);
    t->saving = false;
    let_go(t);
}

/* Writes the row as t->task says. */
static void save(struct task_run *t)
{
    t->saving = true;
    t->job = (struct store_job){.run = save_run, .done = save_done};
    store_queue_submit(t->service->store, &t->job);
}

/* Fills t->next. A row that would be too large becomes a failure that says so; returns -1 then. */
static int write_next(struct task_run *t)
{
    t->task.updated_ms = clock_wall_ms();
    buf_clear(&t->next);
    task_write(&t->task, &t->next);
    if (t->next.n <= STORE_VALUE_BYTES) return 0;
    t->task.status = TASK_FAILED;
    t->task.journal = t->task.requests = (struct bytes){NULL, 0};
    t->task.outcome = BYTES("{\"code\":-32603,\"message\":\"The task has more to keep than the 256 "
                            "KiB it may; nothing was stored.\"}");
    buf_clear(&t->next);
    task_write(&t->task, &t->next);
    return -1;
}

static void set_outcome(struct task_run *t, enum task_status status, struct bytes json)
{
    t->task.status = status;
    t->task.journal = t->task.requests = (struct bytes){NULL, 0};
    t->task.outcome = arena_copy(&t->arena, json);
}

static void set_result(struct task_run *t, const struct result *result)
{
    struct buf json = {0};
    buf_addz(&json, "{\"resultType\":\"complete\"");
    if (result->fields.n) buf_addc(&json, ',');
    buf_add(&json, result->fields);
    if (result->meta.n) buf_addz(&json, ",\"_meta\":");
    buf_add(&json, result->meta);
    buf_addc(&json, '}');
    set_outcome(t, TASK_COMPLETED, buf_bytes(&json));
    buf_free(&json);
}

static void look_soon(struct service *s)
{
    enum { SOON_MS = 500 };
    s->tasks_look_ms = clock_mono_ms() + SOON_MS;
}

/* The channel of a face: there is nobody to be streamed to, and only errors come whole. */

static struct bytes header(struct exchange *face, const char *name)
{
    (void)face;
    (void)name;
    return (struct bytes){NULL, 0};
}

static int open_stream(struct exchange *face)
{
    (void)face;
    return -1;
}

/* An error with the status of RPC_BUSY is of a call that was not begun: the row stays as it is, and
 * is found again (tasks.c). */
static void reply(struct exchange *face, const struct reply *reply)
{
    struct task_run *t = (struct task_run *)face;
    struct json_error fault;
    const struct json *message = json_parse(&t->arena, reply->body, &JSON_LIMITS, &fault);
    const struct json *error = json_get(message, "error");
    if (reply->retry_after_s) {
        look_soon(t->service);
        let_go(t);
    } else if (error) {
        set_outcome(t, TASK_FAILED, error->raw);
        write_next(t);
        save(t);
    }
}

static const struct channel_ops FACE = {
    .header = header, .reply = reply, .open_stream = open_stream};

/* What the era of a face does; it says of itself that it is modern. */

static void result(struct exchange *face, const struct result *result)
{
    struct task_run *t = (struct task_run *)face;
    if (face->ended) return;
    face->ended = true;
    if (t->committing && face->call->outcome == 0) return; /* it is in the store already */
    set_result(t, result);
    write_next(t);
    save(t);
}

static void finishing(struct call *c)
{
    struct task_run *t = c->owner;
    set_result(t, &(struct result){.fields = run_fields(c->run), .meta = run_meta(c->run)});
    if (write_next(t) != 0) staging_drop_writes(&c->staging); /* what failed has written nothing */
    task_run_change(t->writes, t->id, t->row, buf_bytes(&t->next));
    c->own = t->writes;
    c->own_n = 2;
    t->committing = true;
}

static int can_ask(const struct call *c, struct error *error)
{
    (void)c;
    (void)error;
    return 0;
}

static void ask(struct call *c)
{
    struct task_run *t = c->owner;
    task_ask(&t->task, &c->round, &c->journal, &t->arena);
    write_next(t);
    save(t);
    call_end(c);
}

/* It has waited long for a browser, or what it read or its row has changed: it is found again
 * (tasks.c), unless it is over by now. */
static void come_again(struct call *c)
{
    struct task_run *t = c->owner;
    t->task.status = TASK_WORKING;
    t->task.outcome = (struct bytes){NULL, 0};
    task_keep_journal(&t->task, &c->journal, &t->arena);
    write_next(t);
    save(t);
    look_soon(t->service);
    call_end(c);
}

static void unsupported(struct call *c, struct bytes capabilities)
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

static void nothing(struct call *c)
{
    (void)c;
}

static bool close_stream(const struct call *c)
{
    (void)c;
    return false;
}

static void complete(struct call *c, const struct elicitation *e)
{
    (void)c;
    (void)e;
}

static void ended(struct call *c)
{
    struct task_run *t = c->owner;
    t->face.call = NULL;
    c->x = NULL;
    let_go(t);
}

static const struct era TASK = {
    .name = ERA_MODERN,
    .text = "modern",
    .result = result,
    .started = nothing,
    .can_ask = can_ask,
    .ask = ask,
    .unsupported = unsupported,
    .close_stream = close_stream,
    .complete = complete,
    .come_again = come_again,
    .expired = nothing,
    .finishing = finishing,
    .ended = ended,
};

static struct task_run *new_run(struct service *s, struct bytes id, struct bytes row)
{
    struct task_run *t = mem_alloc(sizeof *t);
    struct json_error fault;
    exchange_init(&t->face, &FACE);
    t->service = t->face.service = s;
    t->id = arena_copy(&t->arena, id);
    t->row = arena_copy(&t->arena, row);
    t->after = s->task_runs;
    t->link = &s->task_runs;
    if (t->after) t->after->link = &t->after;
    s->task_runs = t;
    if (task_read(t->row, &t->arena, &t->task) != 0) {
        log_line(s->log, LOG_ERROR, "the task %.*s can't be read, and is left alone",
                 BYTES_ARG(id));
        let_go(t);
        return NULL;
    }
    t->client.capabilities = json_parse(&t->arena, t->task.capabilities, &JSON_LIMITS, &fault);
    t->face.era = &TASK;
    t->face.client = &t->client;
    t->face.owner = t;
    t->face.principal = t->task.principal;
    t->face.message = (struct rpc_message){.id = BYTES("0"), .method = BYTES("tools/call")};
    return t;
}

static void refuse_arguments(struct task_run *t, struct bytes reasons)
{
    struct buf text = {0};
    buf_printf(&text, "The arguments no longer fit %.*s: %.*s", BYTES_ARG(t->task.tool),
               BYTES_ARG(reasons));
    refusal_result(&t->face, buf_bytes(&text));
    buf_free(&text);
}

/* The scripts may be others than when the task was made. */
void task_run_start(struct service *s, struct bytes id, struct bytes row)
{
    struct task_run *t = s->stopping || find(s, id) ? NULL : new_run(s, id, row);
    struct json_error fault;
    struct journal journal;
    struct buf reasons = {0};
    if (!t) return;
    const struct json *arguments = json_parse(&t->arena, t->task.arguments, &JSON_LIMITS, &fault);
    const struct offer *tool = registry_find(s->generation, OFFER_TOOL, t->task.tool);
    if (!tool) {
        exchange_error(&t->face, RPC_INVALID_PARAMS, "The tool of this task is no longer there");
    } else if (!schema_valid(tool->input, arguments, "arguments", &reasons)) {
        refuse_arguments(t, buf_bytes(&reasons));
    } else if (task_journal(&t->task, &journal) != 0) {
        exchange_error(&t->face, RPC_INTERNAL_ERROR, "What this task has learned can't be read");
    } else {
        call_start(&t->face, tool, RUN_HANDLER, arguments, &journal);
    }
    buf_free(&reasons);
}

void task_run_cancel(struct service *s, struct bytes id)
{
    struct task_run *t = find(s, id);
    if (t && t->face.call) call_cancel(t->face.call);
}
