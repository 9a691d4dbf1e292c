/* The requests that mean the same in both eras, one file each.
 *
 * To add a method: a file named after it ('-' for '/') that defines its struct method; the build
 * makes the table from the file names. What belongs to one era alone (initialize, sessions,
 * cancellation) is that era's own. */
#ifndef LUNASK_METHODS_METHOD_H
#define LUNASK_METHODS_METHOD_H

#include "call/era.h"

struct method {
    bool legacy, modern; /* the eras that have it */
    void (*run)(struct exchange *x);
};

struct method_row {
    struct bytes name;
    const struct method *method;
};

extern const struct method_row METHODS[]; /* sorted by name; ends with a NULL method */

/* Runs the method of x's request, or answers that this era has none of that name. */
void method_dispatch(struct exchange *x);

#endif
