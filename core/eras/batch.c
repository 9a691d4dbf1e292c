#include "eras/batch.h"

#include "call/era.h"

/* Lives in the outer exchange's arena, as long as that does. */
struct batch {
    struct exchange *outer; /* NULL once the client is gone */
    struct exchange *parts; /* one an element */
    size_t n, open;         /* parts; those that have not replied */
    struct buf replies;     /* "[reply,reply": closed when it is sent */
};

/* Parts find their batch through the channel, which each batch has of its own: an exchange has no
 * other place for its transport. */
struct part_channel {
    struct channel_ops ops;
    struct batch *batch;
};

static struct batch *of_part(struct exchange *part)
{
    return ((const struct part_channel *)(const void *)part->channel)->batch;
}

/* The headers of the POST are those of every message in it. */
static struct bytes header(struct exchange *part, const char *name)
{
    struct batch *b = of_part(part);
    return b->outer ? b->outer->channel->header(b->outer, name) : (struct bytes){NULL, 0};
}

static void reply_to_outer(struct batch *b)
{
    if (!b->outer) return;
    if (b->replies.n == 0) {
        exchange_reply(b->outer, &(struct reply){.status = 202});
        return;
    }
    buf_addc(&b->replies, ']');
    exchange_reply(b->outer, &(struct reply){.status = 200, .body = buf_bytes(&b->replies)});
}

/* Replies stand in the order of their coming, as JSON-RPC allows; a part without one adds
 * nothing. */
static void reply(struct exchange *part, const struct reply *reply)
{
    struct batch *b = of_part(part);
    if (reply->body.n) {
        buf_addc(&b->replies, b->replies.n ? ',' : '[');
        buf_add(&b->replies, reply->body);
    }
    if (--b->open > 0) return;
    reply_to_outer(b);
    buf_free(&b->replies);
}

static int open_stream(struct exchange *part)
{
    (void)part;
    return -1;
}

/* No event and no close_stream: without a stream nobody gets to call them. */
static const struct channel_ops PART = {
    .header = header,
    .reply = reply,
    .open_stream = open_stream,
};

/* Calls of the parts go on, as legacy calls do, but their replies go nowhere. */
static void gone(struct exchange *outer)
{
    struct batch *b = outer->owner;
    b->outer = NULL;
    for (size_t i = 0; i < b->n; i++)
        exchange_gone(&b->parts[i]);
    buf_free(&b->replies);
}

/* All that an exchange which became a batch still needs of an era. */
static const struct era BATCH = {.name = ERA_LEGACY, .text = "batch", .gone = gone};

static struct batch *new_batch(struct exchange *outer, size_t n)
{
    struct arena *arena = &outer->arena;
    struct batch *b = arena_zalloc(arena, sizeof *b);
    struct part_channel *channel = arena_alloc(arena, sizeof *channel);
    *channel = (struct part_channel){PART, b};
    b->outer = outer;
    b->parts = arena_alloc(arena, n * sizeof *b->parts);
    b->n = b->open = n;
    for (size_t i = 0; i < n; i++) {
        struct exchange *part = &b->parts[i];
        exchange_init(part, &channel->ops);
        part->has_headers = outer->has_headers;
        part->body = outer->body;
        part->principal = outer->principal;
        part->service = outer->service;
        part->era = outer->era;
        part->client = outer->client;
        part->owner = outer->owner;
    }
    return b;
}

void batch_post(struct exchange *x, const struct json *array,
                void (*post)(struct exchange *x, const struct json *message))
{
    if (array->count == 0) {
        exchange_error(x, RPC_INVALID_REQUEST, "A batch must not be empty");
        return;
    }
    struct batch *b = new_batch(x, array->count);
    x->owner = b; /* the session is with the parts */
    x->era = &BATCH;
    size_t i = 0;
    for (const struct json *e = json_first(array); e && b->outer; e = json_next(array, e))
        post(&b->parts[i++], e);
}
