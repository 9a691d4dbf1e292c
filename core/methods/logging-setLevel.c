#include "call/client.h"
#include "methods/method.h"

/* 2025-11-25 server/utilities/logging, "Setting Log Level": for the session, from the next message
 * on, that of calls which run already included. In 2026-07-28 each request says what it wants. */
static void run(struct exchange *x)
{
    if (client_set_log_level(x->client, json_get(x->message.params, "level")) == 0)
        exchange_result(x, &(struct result){0});
    else
        exchange_error(x, RPC_INVALID_PARAMS, "params.level must be " CLIENT_LOG_LEVELS);
}

const struct method method_logging_setLevel = {.legacy = true, .run = run};
