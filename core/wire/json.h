/* JSON as it comes in: one strict parse into a flat tape (RFC 8259, UTF-8 only).
 *
 * Words. **tape**: the parsed text, one struct json a value, in the order of the text; an object's
 * members are its key and its value by turns. **cell**: one struct json of it. **span**: how many
 * cells a value takes with all that is inside it, so that `v + v->span` is the next one.
 *
 *   {"a":[1,2],"b":null}
 *   cell    0       1    2      3  4  5    6
 *   type    object  "a"  array  1  2  "b"  null
 *   span    7       1    3      1  1  1    1
 *   count   2            2
 *
 * One parse serves everybody: the envelope, header checks, schema validation, the digest of the
 * arguments and the Lua values all read the same tape. A tape is read-only and may be shared.
 *
 * Strict means refused: anything before or after the value but white space, duplicate keys in one
 * object (compared after unescaping), invalid UTF-8, lone surrogates in escapes, control characters
 * in strings, NUL in a key, leading zeros, exponents of more than nine digits, NaN, comments,
 * trailing commas, a byte order mark; and more depth or cells than the limits say. Each of these is
 * something that two programs on the way could read in two ways. Numbers keep their text, so that
 * an integer beyond 2^53 or an id comes back as sent.
 *
 * Reading is total: every reader below takes NULL or a value of another type and says "absent", so
 * that chains need no checks between: json_string(json_get(json_get(root, "params"), "name")). */
#ifndef LUNASK_WIRE_JSON_H
#define LUNASK_WIRE_JSON_H

#include "base/arena.h"
#include "base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* The order is part of schema_node.h: a set of types has the bit 1 << type, and 1 << 7 is taken. */
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
    uint8_t type;      /* enum json_type, in a byte */
    bool integer;      /* number: written without fraction and exponent */
    uint32_t span;     /* cells, this one included */
    uint32_t count;    /* array: elements; object: members */
    struct bytes text; /* string: unescaped UTF-8; number: as written; else empty */
    struct bytes raw;  /* the value exactly as written, quotes and brackets included */
};

/* Bounds the C stack of whoever recurses over a tape, and the parser's list of open containers. */
enum { JSON_DEPTH_MAX = 64 };

struct json_limits {
    unsigned depth; /* containers inside one another; 1 allows [] but not [[]]; JSON_DEPTH_MAX at
                       most, as readers recurse */
    unsigned cells; /* values and keys in all */
};

/* The host's limits for a message: depth 64, 100,000 cells. A cell takes 48 bytes, so a body of 4
 * MiB makes 5 MB of tape at the most, and not the 100 that "[0,0,0…" would. */
extern const struct json_limits JSON_LIMITS;

struct json_error {
    const char *reason; /* a static phrase, such as "duplicate key" */
    size_t at;          /* byte offset in the text */
};

/* Parses `text`, which must outlive the tape (values point into it). The tape is allocated in
 * `arena`, as are strings that had escapes in them. Returns the root, or NULL with *error filled,
 * where `at` is what a person needs to find the fault. */
const struct json *json_parse(struct arena *arena, struct bytes text,
                              const struct json_limits *limits, struct json_error *error);

/* Returns the value of the member `key`, or NULL. Looks at one member after the other: to look up
 * many keys of one object, sort them once (json_keys.h). */
const struct json *json_get(const struct json *object, const char *key);
const struct json *json_get_bytes(const struct json *object, struct bytes key);

/* Walks the elements of an array, or the keys of an object (whose value is the next cell):
 *   for (const struct json *e = json_first(v); e; e = json_next(v, e)) …
 * In an object json_value(e) is the value of the key e. */
const struct json *json_first(const struct json *container);
const struct json *json_next(const struct json *container, const struct json *at);
const struct json *json_value(const struct json *key);

bool json_is(const struct json *v, enum json_type type);

/* Returns the text of a string; {NULL, 0} for anything else. An empty string has a pointer, so that
 * it can be told from none. */
struct bytes json_string(const struct json *v);

/* Reads a number that is an integer of 64 bits, in whatever notation (1, 1.0, 1e0). Returns false
 * for any other value: 2^63 is not cut, it is no such number. */
bool json_int(const struct json *v, int64_t *value_r);

/* Reads a number as the nearest double, which is an infinity for 1e400. Returns false for any other
 * value. */
bool json_double(const struct json *v, double *value_r);

/* Returns true for `true`, false for everything else. */
bool json_true(const struct json *v);

/* Compares by value, as JSON Schema does (2020-12 core, 4.2.2): 1 equals 1.0, members in any order.
 * Numbers are compared exactly, not as doubles. Two NULLs are equal. Large objects take memory for
 * the time of the call. */
bool json_equal(const struct json *a, const struct json *b);

#endif
