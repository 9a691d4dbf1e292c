#include "call/exchange.h"

#include "call/era.h"

void exchange_init(struct exchange *x, const struct channel_ops *channel)
{
    *x = (struct exchange){.channel = channel};
}

void exchange_free(struct exchange *x)
{
    arena_free(&x->arena);
}

/* Once, and not after a reply: whoever has answered has nothing to give up. */
void exchange_gone(struct exchange *x)
{
    if (x->ended) return;
    x->ended = true;
    /* Before feed has found an era there is nobody to tell. */
    if (x->era) x->era->gone(x);
}

void exchange_reply(struct exchange *x, const struct reply *reply)
{
    if (x->ended) return;
    x->ended = true;
    x->channel->reply(x, reply);
}

void exchange_error_data(struct exchange *x, enum rpc_code code, const char *message,
                         struct bytes data)
{
    struct buf text = {0};
    rpc_write_error(&text, x->message.id, code, bytes_of(message), data);
    if (x->streaming)
        exchange_send(x, 200, buf_bytes(&text));
    else
        exchange_reply(x, &(struct reply){.status = rpc_code_http_status(code),
                                          .body = buf_bytes(&text),
                                          .retry_after_s = code == RPC_BUSY ? 1 : 0});
    buf_free(&text);
}

void exchange_error(struct exchange *x, enum rpc_code code, const char *message)
{
    exchange_error_data(x, code, message, (struct bytes){NULL, 0});
}

int exchange_open_stream(struct exchange *x)
{
    if (x->ended) return -1;
    if (x->streaming) return 0;
    if (x->channel->open_stream(x) != 0) return -1;
    x->streaming = true;
    return 0;
}

void exchange_event(struct exchange *x, struct bytes message)
{
    exchange_event_with_id(x, (struct bytes){NULL, 0}, message);
}

void exchange_event_with_id(struct exchange *x, struct bytes id, struct bytes message)
{
    if (!x->ended) x->channel->event(x, id, message);
}

void exchange_close_stream(struct exchange *x)
{
    if (x->ended) return;
    x->ended = true;
    x->channel->close_stream(x);
}

/* JSON-RPC wants no response to what was cancelled, but HTTP does: the empty one. */
void exchange_drop(struct exchange *x)
{
    if (x->streaming)
        exchange_close_stream(x);
    else
        exchange_reply(x, &(struct reply){.status = 202});
}

int exchange_socket(struct exchange *x)
{
    return x->channel->socket ? x->channel->socket(x) : -1;
}

void exchange_result(struct exchange *x, const struct result *result)
{
    x->era->result(x, result);
}

void exchange_send(struct exchange *x, int status, struct bytes message)
{
    if (!x->streaming) {
        exchange_reply(x, &(struct reply){.status = status, .body = message});
        return;
    }
    exchange_event(x, message);
    exchange_close_stream(x);
}
