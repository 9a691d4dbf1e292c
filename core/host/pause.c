#include "host/pause.h"

#include "base/mem.h"

#include <stdlib.h>
#include <uv.h>

struct pause {
    uv_timer_t timer;
    void (*done)(void *arg);
    void *arg;
};

static void closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void over(uv_timer_t *timer)
{
    struct pause *p = timer->data;
    p->done(p->arg);
    uv_close((uv_handle_t *)timer, closed);
}

void *pause_start(void *loop, int64_t ms, void (*done)(void *arg), void *arg)
{
    struct pause *p = mem_alloc(sizeof *p);
    uv_timer_init(loop, &p->timer);
    p->timer.data = p;
    p->done = done;
    p->arg = arg;
    uv_timer_start(&p->timer, over, (uint64_t)ms, 0);
    return p;
}

void pause_cancel(void *pause)
{
    struct pause *p = pause;
    uv_close((uv_handle_t *)&p->timer, closed);
}
