#include "call/escalation.h"

#include "base/mem.h"
#include "call/completion.h"
#include "call/task_run.h"
#include "call/tasks.h"

#include <stdlib.h>

struct escalation {
    char id[TASK_ID_CHARS + 1];
    struct buf row, fields;
    struct store_write writes[2];
};

bool escalation_is_due(const struct call *c)
{
    bool is_task = c->era->finishing != NULL;
    return c->offer->kind == OFFER_TOOL && c->offer->task != OFFER_TASK_FORBIDDEN &&
           c->era->name == ERA_MODERN && !is_task && client_extends(c->client, TASKS_EXTENSION);
}

static void refuse(struct call *c, enum rpc_code code, const char *text)
{
    exchange_error(c->x, code, text);
    call_end(c);
}

static void write(struct call *c, struct escalation *e)
{
    struct arena arena = {0};
    struct task t = tasks_begin(c->service, bytes_of(c->principal), c->offer->name,
                                c->arguments->raw, c->client);
    tasks_new_id(c->service, e->id);
    task_keep_journal(&t, &c->journal, &arena);
    task_write(&t, &e->row);
    task_describe(&t, bytes_of(e->id), false, &e->fields);
    task_run_change(e->writes, bytes_of(e->id), (struct bytes){NULL, 0}, buf_bytes(&e->row));
    arena_free(&arena);
}

void escalation_begin(struct call *c)
{
    if (c->service->task_count >= TASKS_MOST) {
        refuse(c, RPC_BUSY, "Too many tasks are kept; try again later");
        return;
    }
    c->escalation = mem_alloc(sizeof *c->escalation);
    write(c, c->escalation);
    if (c->escalation->row.n > STORE_VALUE_BYTES) {
        refuse(c, RPC_INVALID_PARAMS, "Arguments and answers are larger than a task may keep");
        return;
    }
    c->own = c->escalation->writes;
    c->own_n = 2;
    completion_escalate(c);
}

struct bytes escalation_fields(const struct escalation *e)
{
    return buf_bytes(&e->fields);
}

void escalation_done(struct call *c)
{
    struct escalation *e = c->escalation;
    c->service->task_count++;
    if (c->cancelled && !c->claim.needed)
        tasks_forget(c->service, bytes_of(c->principal), e->id);
    else
        task_run_start(c->service, bytes_of(e->id), buf_bytes(&e->row));
}

void escalation_free(struct call *c)
{
    struct escalation *e = c->escalation;
    c->becomes_task = false;
    if (!e) return;
    c->own = NULL;
    c->own_n = 0;
    c->escalation = NULL;
    buf_free(&e->row);
    buf_free(&e->fields);
    free(e);
}
