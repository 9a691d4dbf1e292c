#include "methods/method.h"

void method_dispatch(struct exchange *x)
{
    bool modern = x->era->name == ERA_MODERN;
    for (const struct method_row *row = METHODS; row->method; row++) {
        if (!bytes_equal(row->name, x->message.method)) continue;
        /* The other era's method is as unknown as any. */
        if (!(modern ? row->method->modern : row->method->legacy)) break;
        row->method->run(x);
        return;
    }
    struct error reason;
    error_set(&reason, "Method not found: %.*s", BYTES_ARG(x->message.method));
    exchange_error(x, modern ? RPC_METHOD_NOT_FOUND : RPC_LEGACY_METHOD_NOT_FOUND, reason.text);
}
