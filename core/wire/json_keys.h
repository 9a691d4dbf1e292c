/* An object's keys in order, for whoever must match or write them whatever order they came in. */
#ifndef LUNASK_WIRE_JSON_KEYS_H
#define LUNASK_WIRE_JSON_KEYS_H

#include "wire/json.h"

/* Up to this many keys are sorted in place and compared in pairs, without memory; the objects that
 * messages are made of have fewer. */
enum { JSON_KEYS_FEW = 16 };

struct json_keys {
    const struct json **at; /* `count` of them, as bytes_compare orders their text */
    uint32_t count;
    const struct json *few[JSON_KEYS_FEW]; /* where small objects need no memory of their own */
};

/* Fills in *keys, which must stay where it is until json_keys_free (it may point into itself).
 * Takes n log n comparisons, whatever the keys: who sends a hundred thousand of them gets no
 * quadratic work for it. */
void json_keys_sort(struct json_keys *keys, const struct json *object);
void json_keys_free(struct json_keys *keys);

/* Returns the first key in the text that repeats an earlier one, or NULL. RFC 8259, 4, leaves it
 * open which of the two counts; a proxy that checks the one and a host that uses the other is an
 * old trick. */
const struct json *json_keys_repeated(const struct json *object);

#endif
