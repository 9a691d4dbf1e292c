#include "eras/replay.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What an event takes, counted as what it is made of: a thousand empty ones are no small thing. */
static size_t size_of(size_t n)
{
    return sizeof(struct replay_event) + n;
}

static void drop_first(struct replay *r)
{
    struct replay_event *e = r->first;
    r->first = e->next;
    if (!r->first) r->last = NULL;
    r->bytes -= size_of(e->n);
    r->events--;
    e->stream->kept--;
    free(e);
}

bool replay_add(struct replay *r, struct replay_stream *stream, int64_t number,
                struct bytes message)
{
    size_t size = size_of(message.n);
    if (size > r->limit) return false;
    while (r->first && (r->bytes + size > r->limit || r->events >= REPLAY_EVENTS))
        drop_first(r);
    struct replay_event *e = mem_alloc(size);
    e->stream = stream;
    e->number = number;
    e->n = message.n;
    memcpy(e->text, message.p, message.n);
    if (r->last)
        r->last->next = e;
    else
        r->first = e;
    r->last = e;
    r->bytes += size;
    r->events++;
    stream->kept++;
    return true;
}

const struct replay_event *replay_next(const struct replay *r, const struct replay_stream *stream,
                                       int64_t after)
{
    for (const struct replay_event *e = r->first; e; e = e->next)
        if (e->stream == stream && e->number > after) return e;
    return NULL;
}

void replay_free(struct replay *r)
{
    while (r->first)
        drop_first(r);
}
