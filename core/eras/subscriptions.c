#include "eras/subscriptions.h"

#include "eras/modern_reply.h"

#define SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

enum topic { TOOLS = 1 };

/* The flags of a filter; a topic of 0 is one that the host does not offer. */
static const struct {
    const char *key;
    unsigned topic;
} FLAGS[] = {{"toolsListChanged", TOOLS}, {"promptsListChanged", 0}, {"resourcesListChanged", 0}};
enum { FLAG_COUNT = sizeof FLAGS / sizeof FLAGS[0] };

struct subscription {
    struct exchange *x;
    unsigned topics;
    struct subscription *next, **link; /* of service->subscriptions */
};

static int refuse(struct exchange *x, const char *key, const char *wanted)
{
    struct error reason;
    error_set(&reason, "params.notifications%s%s must be %s", *key ? "." : "", key, wanted);
    exchange_error(x, RPC_INVALID_PARAMS, reason.text);
    return -1;
}

/* No resource is offered, so the list is looked at only to refuse what no host would take. */
static int check_uris(struct exchange *x, const struct json *uris)
{
    if (!uris) return 0;
    bool good = json_is(uris, JSON_ARRAY);
    for (const struct json *e = good ? json_first(uris) : NULL; e; e = json_next(uris, e))
        good = good && json_is(e, JSON_STRING);
    return good ? 0 : refuse(x, "resourceSubscriptions", "a list of URIs");
}

/* Returns 0, or -1 with the request refused. Unknown keys are of later versions, and ignored. */
static int read_filter(struct exchange *x, unsigned *topics_r)
{
    const struct json *filter = json_get(x->message.params, "notifications");
    *topics_r = 0;
    if (!json_is(filter, JSON_OBJECT))
        return refuse(x, "", "an object that says what to hear of: {\"toolsListChanged\":true}");
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        const struct json *flag = json_get(filter, FLAGS[i].key);
        if (flag && !json_is(flag, JSON_TRUE) && !json_is(flag, JSON_FALSE))
            return refuse(x, FLAGS[i].key, "true or false");
        if (json_true(flag)) *topics_r |= FLAGS[i].topic;
    }
    return check_uris(x, json_get(filter, "resourceSubscriptions"));
}

static void write_meta(const struct subscription *sub, struct buf *out)
{
    buf_addz(out, "{\"" SUBSCRIPTION_ID "\":");
    buf_add(out, sub->x->message.id);
    buf_addc(out, '}');
}

/* `more` is JSON text of further members of params; may be empty. */
static void notify(const struct subscription *sub, const char *method, struct bytes more)
{
    struct buf params = {0};
    struct buf text = {0};
    buf_addz(&params, "{\"_meta\":");
    write_meta(sub, &params);
    buf_add(&params, more);
    buf_addc(&params, '}');
    rpc_write_notification(&text, bytes_of(method), buf_bytes(&params));
    exchange_event(sub->x, buf_bytes(&text));
    buf_free(&params);
    buf_free(&text);
}

static void acknowledge(const struct subscription *sub)
{
    struct buf honoured = {0};
    const char *before = "";
    buf_addz(&honoured, ",\"notifications\":{");
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        if (!(sub->topics & FLAGS[i].topic)) continue;
        buf_printf(&honoured, "%s\"%s\":true", before, FLAGS[i].key);
        before = ",";
    }
    buf_addc(&honoured, '}');
    notify(sub, "notifications/subscriptions/acknowledged", buf_bytes(&honoured));
    buf_free(&honoured);
}

static struct subscription *enter(struct exchange *x, unsigned topics)
{
    struct service *s = x->service;
    struct subscription *sub = arena_zalloc(&x->arena, sizeof *sub);
    sub->x = x;
    sub->topics = topics;
    sub->next = s->subscriptions;
    sub->link = &s->subscriptions;
    if (sub->next) sub->next->link = &sub->next;
    s->subscriptions = sub;
    s->subscription_count++;
    x->owner = sub;
    return sub;
}

static void leave(struct subscription *sub)
{
    *sub->link = sub->next;
    if (sub->next) sub->next->link = sub->link;
    sub->x->service->subscription_count--;
    sub->x->owner = NULL;
}

void subscriptions_listen(struct exchange *x)
{
    const struct service *s = x->service;
    unsigned topics;
    if (read_filter(x, &topics) != 0) return;
    /* Before the stream is open: then the refusal has its HTTP status. */
    if (s->stopping)
        exchange_error(x, RPC_BUSY, "The server is shutting down");
    else if (s->subscription_count >= s->settings->sessions)
        exchange_error(x, RPC_BUSY, "Too many clients are listening (sessions); try again later");
    else if (exchange_open_stream(x) != 0)
        exchange_error(x, RPC_INVALID_REQUEST, "Accept must allow text/event-stream");
    else
        acknowledge(enter(x, topics));
}

void subscriptions_gone(struct exchange *x)
{
    if (x->owner) leave(x->owner);
}

void subscriptions_tools_changed(struct service *s)
{
    for (const struct subscription *sub = s->subscriptions; sub; sub = sub->next)
        if (sub->topics & TOOLS)
            notify(sub, "notifications/tools/list_changed", (struct bytes){NULL, 0});
}

void subscriptions_stop(struct service *s)
{
    while (s->subscriptions) {
        struct subscription *sub = s->subscriptions;
        struct buf meta = {0};
        write_meta(sub, &meta);
        leave(sub);
        modern_reply_result(sub->x, &(struct result){.meta = buf_bytes(&meta)});
        buf_free(&meta);
    }
}
