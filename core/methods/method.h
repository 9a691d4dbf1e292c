/* The requests that mean the same in both eras, one file each.
 *
 * To add a method: a file named after it ('-' for '/') that defines its struct method; the build
 * makes the table from the file names (table.cmake). What belongs to one era alone (initialize,
 * sessions, cancellation) is that era's own.
 *
 * A method is run once, when version, client and headers have been found right; x->message,
 * x->client and x->era are set. It ends in exactly one of exchange_result, exchange_error or a call
 * that will reply later (call_start), and reads x->message.params without trusting them: only that
 * they are an object, if there are any, is known. */
#ifndef LUNASK_METHODS_METHOD_H
#define LUNASK_METHODS_METHOD_H

#include "call/era.h"

struct method {
    bool legacy, modern; /* the eras that have it; in another it is not found */
    void (*run)(struct exchange *x);
};

struct method_row {
    struct bytes name;
    const struct method *method;
};

extern const struct method_row METHODS[]; /* sorted by name; ends with a NULL method */

/* Runs the method of x's request, or answers -32601 if this era has none of that name. Its status
 * 404 is what 2026-07-28 demands (transports/streamable-http, "Protocol Version Header"). */
void method_dispatch(struct exchange *x);

#endif
