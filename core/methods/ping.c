#include "methods/method.h"

/* 2025-11-25 basic/utilities/ping: an empty result. 2026-07-28 has no ping: there any request
 * does. */
static void run(struct exchange *x)
{
    exchange_result(x, &(struct result){0});
}

const struct method method_ping = {.legacy = true, .run = run};
