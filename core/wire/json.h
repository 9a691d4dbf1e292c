/* JSON as it comes in: one strict parse into a flat tape (RFC 8259, UTF-8 only).
 *
 * Words. **tape**: the parsed text, one struct json a value, in the order of the text; an object's
 * members are its key and its value by turns. **span**: how many cells a value takes with all that
 * is inside it, so that `v + v->span` is the next one.
 *
 * Strict means refused: anything before or after the value but white space, duplicate keys in one
 * object (compared after unescaping), invalid UTF-8, lone surrogates in escapes, control characters
 * in strings, NUL in a key, leading zeros, exponents of more than nine digits, NaN, comments,
 * trailing commas, a byte order mark; and more depth or cells than the limits say. Numbers keep
 * their text, so that an integer beyond 2^53 or an id comes back as sent.
 *
 * Reading is total: every reader below takes NULL or a value of another type and says "absent", so
 * that chains need no checks between. */
#ifndef LUNASK_WIRE_JSON_H
#define LUNASK_WIRE_JSON_H

#include "base/arena.h"
#include "base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json {
    uint8_t type;
    bool integer;      /* number: written without fraction and exponent */
    uint32_t span;     /* cells, this one included */
    uint32_t count;    /* array: elements; object: members */
    struct bytes text; /* string: unescaped UTF-8; number: as written; else empty */
    struct bytes raw;  /* the value exactly as written, quotes and brackets included */
};

enum { JSON_DEPTH_MAX = 64 };

struct json_limits {
    unsigned depth; /* containers inside one another; 1 allows [] but not [[]]; JSON_DEPTH_MAX at
                       most, as readers recurse */
    unsigned cells; /* values and keys in all */
};

/* The host's limits for a message: depth 64, 100,000 cells. */
extern const struct json_limits JSON_LIMITS;

struct json_error {
    const char *reason; /* a static phrase, such as "duplicate key" */
    size_t at;          /* byte offset in the text */
};

/* Parses `text`, which must outlive the tape (values point into it). The tape is allocated in
 * `arena`. Returns the root, or NULL with *error filled. */
const struct json *json_parse(struct arena *arena, struct bytes text,
                              const struct json_limits *limits, struct json_error *error);

/* Returns the value of the member `key`, or NULL. */
const struct json *json_get(const struct json *object, const char *key);
const struct json *json_get_bytes(const struct json *object, struct bytes key);

/* Walks the elements of an array, or the keys of an object (whose value is the next cell):
 *   for (const struct json *e = json_first(v); e; e = json_next(v, e)) …
 * In an object json_value(e) is the value of the key e. */
const struct json *json_first(const struct json *container);
const struct json *json_next(const struct json *container, const struct json *at);
const struct json *json_value(const struct json *key);

bool json_is(const struct json *v, enum json_type type);

/* Returns the text of a string; {NULL, 0} for anything else. */
struct bytes json_string(const struct json *v);

/* Reads a number that is an integer of 64 bits, in whatever notation (1, 1.0, 1e0).
 * Returns false for any other value. */
bool json_int(const struct json *v, int64_t *value_r);

/* Reads a number as the nearest double, which is an infinity for 1e400. Returns false for any other
 * value. */
bool json_double(const struct json *v, double *value_r);

/* Returns true for `true`, false for everything else. */
bool json_true(const struct json *v);

/* Compares by value: 1 equals 1.0, members in any order. Numbers are compared exactly, not as
 * doubles. Two NULLs are equal. */
bool json_equal(const struct json *a, const struct json *b);

#endif
