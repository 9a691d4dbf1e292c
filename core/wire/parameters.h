/* The parameters of a query or of a posted form, as one JSON object of strings.
 *
 * What a browser sends is anybody's: of a name that comes twice the first value counts (OAuth
 * forbids the second), bytes that are no UTF-8 become U+FFFD, and there are bounds. */
#ifndef LUNASK_WIRE_PARAMETERS_H
#define LUNASK_WIRE_PARAMETERS_H

#include "base/buf.h"

#include <stdbool.h>

enum {
    PARAMETERS_MOST = 64,
    PARAMETERS_BYTES = 16 * 1024, /* of the JSON text */
};

struct parameters {
    struct buf names; /* of those that are there, each behind its length */
    struct buf json;  /* the members */
    size_t n;
    bool over; /* a bound was exceeded: what is there is not all */
};

/* Adds a decoded parameter. */
void parameters_add(struct parameters *p, struct bytes name, struct bytes value);

/* Adds those of an application/x-www-form-urlencoded text. */
void parameters_decode(struct parameters *p, struct bytes text);

/* Adds the object to `out`. */
void parameters_write(const struct parameters *p, struct buf *out);
void parameters_free(struct parameters *p);

#endif
