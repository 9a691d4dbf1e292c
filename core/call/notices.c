#include "call/notices.h"

#include "base/clock.h"
#include "base/mem.h"
#include "call/call.h"
#include "script/offer.h"
#include "wire/json_write.h"

#include <stdlib.h>

enum { ONE = 1000, LINE_BYTES = 64 /* what each log message has beside its data */ };

void notices_open(struct notices *n, const struct json *params)
{
    const struct json *token = json_get(json_get(params, "_meta"), "progressToken");
    bool integer = json_is(token, JSON_NUMBER) && token->integer;
    if (integer || json_is(token, JSON_STRING)) n->token = mem_copy(token->raw);
    n->left = (int64_t)NOTICES_BURST * ONE;
    n->left_at_ms = clock_mono_ms();
}

void notices_close(struct notices *n)
{
    free(n->token);
    buf_free(&n->held);
}

static bool can_tell(struct call *c)
{
    return c->x && exchange_open_stream(c->x) == 0;
}

static void tell(struct call *c, const char *method, struct bytes params)
{
    struct buf text = {0};
    rpc_write_notification(&text, bytes_of(method), params);
    exchange_event(c->x, buf_bytes(&text));
    buf_free(&text);
}

static void send_held(struct call *c)
{
    struct notices *n = &c->notices;
    if (can_tell(c)) tell(c, "notifications/progress", buf_bytes(&n->held));
    buf_clear(&n->held);
}

void notices_flush(struct call *c)
{
    if (c->notices.held.n) send_held(c);
}

void notices_tick(struct call *c, int64_t now_ms)
{
    struct notices *n = &c->notices;
    const int64_t most = (int64_t)NOTICES_BURST * ONE;
    if (n->held.n == 0) return;
    if (now_ms > n->left_at_ms) {
        n->left += (now_ms - n->left_at_ms) * NOTICES_PER_SECOND * ONE / 1000;
        if (n->left > most) n->left = most;
        n->left_at_ms = now_ms;
    }
    if (n->left < ONE) return;
    n->left -= ONE;
    send_held(c);
}

/* Equal values are common, smaller ones a mistake of which the author should hear. */
static bool increases(struct call *c, double value)
{
    struct notices *n = &c->notices;
    if (!n->begun || value > n->progress) return true;
    if (value < n->progress && !n->fell) {
        n->fell = true;
        log_line(c->service->log, LOG_WARNING,
                 "%.*s: tool %.*s: ctx:progress went from %g back to %g; a smaller value is not "
                 "sent",
                 BYTES_ARG(c->offer->script), BYTES_ARG(c->offer->name), n->progress, value);
    }
    return false;
}

void notices_progress(struct call *c, double value, struct bytes members)
{
    struct notices *n = &c->notices;
    if (!increases(c, value)) return;
    n->begun = true;
    n->progress = value;
    if (!n->token) return;
    buf_clear(&n->held);
    buf_addz(&n->held, "{\"progressToken\":");
    buf_addz(&n->held, n->token);
    buf_addc(&n->held, ',');
    buf_add(&n->held, (struct bytes){members.p + 1, members.n - 1}); /* without its brace */
    notices_tick(c, clock_mono_ms());
}

static bool wants(const struct client *client, enum log_level level)
{
    return client->logs && level <= client->log_level; /* worst first */
}

void notices_log(struct call *c, enum log_level level, struct bytes text, bool is_json)
{
    struct notices *n = &c->notices;
    struct buf params = {0};
    if (!wants(c->client, level) || n->logged_bytes > NOTICES_LOG_BYTES) return;
    n->logged_bytes += text.n + LINE_BYTES;
    if (n->logged_bytes > NOTICES_LOG_BYTES || !can_tell(c)) return;
    buf_printf(&params, "{\"level\":\"%s\",\"logger\":", log_level_name(level));
    json_write_string(&params, c->offer->script);
    buf_addz(&params, ",\"data\":");
    if (is_json)
        buf_add(&params, text);
    else
        json_write_string(&params, text);
    buf_addc(&params, '}');
    tell(c, "notifications/message", buf_bytes(&params));
    buf_free(&params);
}
