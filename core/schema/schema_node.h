/* The compiled form of a schema.
 *
 * Words. **cell**: a value of the schema's own text, on the tape that the schema keeps.
 * **node**: one compiled subschema; there is one a cell, however often it is referred to, so that
 * cycles of $ref are cycles of pointers. **check**: one keyword of a node: the function that runs
 * it and what it needs. **place**: where in the instance a check is, a list on the stack.
 *
 * Everything here lives in the schema's arena. It is read-only once compiled, except that a pattern
 * has scratch memory: a schema belongs to one thread. */
#ifndef LUNASK_SCHEMA_SCHEMA_NODE_H
#define LUNASK_SCHEMA_SCHEMA_NODE_H

#include "base/buf.h"
#include "schema/schema_format.h"
#include "wire/json.h"

struct schema_run;
struct schema_node;
struct schema_check;
struct schema_pattern;
struct schema_resource;

/* Where in the instance: below `up` (NULL for the root) at a key, or at an index if key.p is NULL.
 * Lives on the stack of the check that looks inside, and is written out only for a reason. */
struct schema_place {
    const struct schema_place *up;
    struct bytes key;
    uint32_t index;
    bool is_name; /* the value looked at is the name of the property, not its value */
};

/* Runs one check on `v`. Returns false if the value fails it, with a reason added to `run`. Values
 * of a type that the keyword does not speak of pass: "maxItems" has no opinion on a string. */
typedef bool schema_check_fn(struct schema_run *run, const struct schema_check *check,
                             const struct json *v, const struct schema_place *at);

/* allOf, anyOf, oneOf, prefixItems */
struct schema_list {
    uint32_t count;
    const struct schema_node *at[];
};

/* properties, dependentSchemas, patternProperties, dependencies */
struct schema_member {
    struct bytes name;
    struct schema_pattern *pattern; /* patternProperties only */
    const struct schema_node *node;
    const struct json *names; /* dependencies only, where there is no node */
};
struct schema_map {
    uint32_t count;
    struct schema_member at[];
};

/* additionalProperties: what `properties` and `patternProperties` beside it leave over;
 * unevaluatedProperties: what nobody has looked at */
struct schema_rest {
    const struct json *properties;     /* NULL if there are none */
    const struct schema_map *patterns; /* NULL if there are none */
    const struct schema_node *node;
    const char *const *names; /* of `properties`, NULL-terminated, for suggestions */
};

/* items: the elements from `first` on */
struct schema_items {
    uint32_t first;
    const struct schema_node *node;
};

struct schema_contains {
    uint64_t least, most; /* minContains, 1 by default; maxContains, UINT64_MAX by default */
    const struct schema_node *node;
};

/* $dynamicRef: the outermost resource on the way here that has a dynamic anchor of the name, or
 * `node` */
struct schema_dynamic {
    struct bytes name;
    const struct schema_node *node;
};

/* if; `then` and `otherwise` may be NULL */
struct schema_condition {
    const struct schema_node *test, *then, *otherwise;
};

/* The member of `of` that is set is said where the run functions are declared (schema_scalars.h and
 * its neighbours). */
struct schema_check {
    schema_check_fn *run;
    const struct json *value; /* the keyword's value, a cell */
    bool decisive;            /* once it has failed, the other reasons of the node are noise */
    union {
        unsigned types; /* SCHEMA_TYPE_* */
        uint64_t limit;
        const struct schema_node *node;
        const struct schema_list *list;
        const struct schema_map *map;
        const struct schema_rest *rest;
        const struct schema_items *items;
        const struct schema_contains *contains;
        const struct schema_condition *condition;
        const struct schema_dynamic *dynamic;
        struct schema_pattern *pattern;
        const struct schema_format *format;
    } of;
};

struct schema_node {
    const struct json *cell;
    const struct schema_resource *resource; /* that the cell is in */
    struct schema_check *checks;
    const struct schema_node *ref; /* of $ref, for describing; else NULL */
    uint32_t count;
    unsigned types;  /* that `type` allows, 0 if it has none */
    unsigned leaves; /* JSON_OBJECT, JSON_ARRAY, as bits: it wants to know what nobody looked at */
    bool never;      /* the schema `false` */
    struct schema_node *queued; /* while compiling: the next one to be filled in */
};

/* Sets of types: bit 1 << JSON_… (JSON_FALSE stands for both booleans) and one for integers, which
 * JSON Schema has beside numbers: 1.0 is one (2020-12 validation, 6.1.1). */
enum { SCHEMA_TYPE_INTEGER = 1 << 7 };

/* Returns the set of types that `v` is of: one bit, or those of number and integer. */
unsigned schema_node_types(const struct json *v);

/* Returns the node that says what `n` says: the target if `n` is nothing but a $ref. For describing
 * only; validation follows references step by step, and pays for them. */
const struct schema_node *schema_node_target(const struct schema_node *n);

/* Adds the JSON Pointer (RFC 6901) of `cell` below `root` to `out`; nothing for the root. */
void schema_node_pointer(const struct json *root, const struct json *cell, struct buf *out);

/* Returns the cell that a JSON Pointer names below `root`; it is percent-encoded as in the fragment
 * of a URI (RFC 6901, 6). NULL if there is none, or if a token is longer than 512 bytes. */
const struct json *schema_node_find(const struct json *root, struct bytes pointer);

#endif
