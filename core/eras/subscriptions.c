#include "eras/subscriptions.h"

#include "call/tasks.h"
#include "eras/modern_reply.h"
#include "methods/capabilities.h"
#include "wire/json_write.h"

#define SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

static const struct {
    const char *key;
    enum offer_list list;
} FLAGS[] = {
    {"toolsListChanged", OFFER_LIST_TOOLS},
    {"promptsListChanged", OFFER_LIST_PROMPTS},
    {"resourcesListChanged", OFFER_LIST_RESOURCES},
};
enum { FLAG_COUNT = sizeof FLAGS / sizeof FLAGS[0] };

struct subscription {
    struct exchange *x;
    unsigned lists;                    /* of enum offer_list */
    const struct json *uris;           /* of resources, or NULL; on the tape of x */
    struct subscription *next, **link; /* of service->subscriptions */
};

static int refuse(struct exchange *x, const char *key, const char *wanted)
{
    struct error reason;
    error_set(&reason, "params.notifications%s%s must be %s", *key ? "." : "", key, wanted);
    exchange_error(x, RPC_INVALID_PARAMS, reason.text);
    return -1;
}

static int check_uris(struct exchange *x, const struct json *uris)
{
    if (!uris) return 0;
    bool good = json_is(uris, JSON_ARRAY);
    for (const struct json *e = good ? json_first(uris) : NULL; e; e = json_next(uris, e))
        good = good && json_is(e, JSON_STRING);
    return good ? 0 : refuse(x, "resourceSubscriptions", "a list of URIs");
}

/* Returns 0, or -1 with the request refused. Unknown keys are of later versions, and ignored. */
static int read_filter(struct exchange *x, struct subscription *sub)
{
    const struct json *filter = json_get(x->message.params, "notifications");
    unsigned offered = capabilities_lists(x->service);
    if (!json_is(filter, JSON_OBJECT))
        return refuse(x, "", "an object that says what to hear of: {\"toolsListChanged\":true}");
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        const struct json *flag = json_get(filter, FLAGS[i].key);
        if (flag && !json_is(flag, JSON_TRUE) && !json_is(flag, JSON_FALSE))
            return refuse(x, FLAGS[i].key, "true or false");
        if (json_true(flag)) sub->lists |= FLAGS[i].list & offered;
    }
    if (json_get(filter, "taskIds") && tasks_check_client(x) != 0) return -1;
    const struct json *uris = json_get(filter, "resourceSubscriptions");
    if (offered & OFFER_LIST_RESOURCES) sub->uris = uris;
    return check_uris(x, uris);
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

/* Written anew: as sent, there may be line breaks between them, which no event may have. */
static void write_uris(const struct json *uris, struct buf *out)
{
    const char *before = "\"resourceSubscriptions\":[";
    for (const struct json *e = json_first(uris); e; e = json_next(uris, e), before = ",") {
        buf_addz(out, before);
        json_write_string(out, e->text);
    }
    buf_addz(out, uris->count ? "]" : "\"resourceSubscriptions\":[]");
}

static void acknowledge(const struct subscription *sub)
{
    struct buf honoured = {0};
    const char *before = "";
    buf_addz(&honoured, ",\"notifications\":{");
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        if (!(sub->lists & FLAGS[i].list)) continue;
        buf_printf(&honoured, "%s\"%s\":true", before, FLAGS[i].key);
        before = ",";
    }
    if (sub->uris) {
        buf_addz(&honoured, before);
        write_uris(sub->uris, &honoured);
    }
    buf_addc(&honoured, '}');
    notify(sub, "notifications/subscriptions/acknowledged", buf_bytes(&honoured));
    buf_free(&honoured);
}

static struct subscription *enter(struct subscription *sub)
{
    struct service *s = sub->x->service;
    sub->next = s->subscriptions;
    sub->link = &s->subscriptions;
    if (sub->next) sub->next->link = &sub->next;
    s->subscriptions = sub;
    s->subscription_count++;
    sub->x->owner = sub;
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
    struct subscription *sub = arena_zalloc(&x->arena, sizeof *sub);
    sub->x = x;
    if (read_filter(x, sub) != 0) return;
    /* Before the stream is open: then the refusal has its HTTP status. */
    if (x->body.n > SUBSCRIPTIONS_BYTES)
        exchange_error(x, RPC_INVALID_PARAMS, "A subscription may have 64 KiB");
    else if (s->stopping)
        exchange_error(x, RPC_BUSY, "The server is shutting down");
    else if (s->subscription_count >= s->settings->sessions)
        exchange_error(x, RPC_BUSY, "Too many clients are listening (sessions); try again later");
    else if (exchange_open_stream(x) != 0)
        exchange_error(x, RPC_INVALID_REQUEST, "Accept must allow text/event-stream");
    else
        acknowledge(enter(sub));
}

void subscriptions_gone(struct exchange *x)
{
    if (x->owner) leave(x->owner);
}

void subscriptions_lists_changed(struct service *s, unsigned lists)
{
    for (const struct subscription *sub = s->subscriptions; sub; sub = sub->next)
        for (size_t i = 0; i < FLAG_COUNT; i++)
            if (sub->lists & lists & FLAGS[i].list)
                notify(sub, capabilities_changed_method(FLAGS[i].list), (struct bytes){NULL, 0});
}

static bool wants(const struct subscription *sub, struct bytes uri)
{
    if (!sub->uris) return false;
    for (const struct json *e = json_first(sub->uris); e; e = json_next(sub->uris, e))
        if (bytes_equal(e->text, uri)) return true;
    return false;
}

void subscriptions_resource_updated(struct service *s, struct bytes uri)
{
    struct buf more = {0};
    buf_addz(&more, ",\"uri\":");
    json_write_string(&more, uri);
    for (const struct subscription *sub = s->subscriptions; sub; sub = sub->next)
        if (wants(sub, uri)) notify(sub, "notifications/resources/updated", buf_bytes(&more));
    buf_free(&more);
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
