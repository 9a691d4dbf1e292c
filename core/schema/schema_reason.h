/* The words of reasons: paths, types, values and lists, quoted and cut so that no value can make a
 * reason long or start a line of its own.
 *
 * A reason must do without the schema; whoever reads it, a model or a person, has the value at
 * hand. It names the place as a script would write it, says what is wanted, and what was there
 * where that is short. */
#ifndef LUNASK_SCHEMA_SCHEMA_REASON_H
#define LUNASK_SCHEMA_SCHEMA_REASON_H

#include "schema/schema_node.h"

/* Writes the path of a place: "items[2].price"; `root` where it would be empty or open with an
 * index. */
void schema_reason_path(struct buf *out, const char *root, const struct schema_place *at);

/* Writes text as a JSON string, cut to 64 bytes with "…". */
void schema_reason_quote(struct buf *out, struct bytes text);

/* Writes the set of types: "a string, a number or null". */
void schema_reason_types(struct buf *out, unsigned types);

/* Writes what `v` is: "a string". */
void schema_reason_type(struct buf *out, const struct json *v);

/* Writes ", not <v>" if `v` is a scalar that is short as written, else nothing. */
void schema_reason_not(struct buf *out, const struct json *v);

/* Writes one value if it is a short scalar, else what it is. */
void schema_reason_value(struct buf *out, const struct json *v);

/* Writes a count and its noun: "1 item", "2 items"; the plural of "property" too. */
void schema_reason_count(struct buf *out, uint64_t n, const char *noun);

/* The values of a closed choice, collected from one or more of enum and const. */
struct schema_choice {
    unsigned shown, hidden; /* values written; values only counted */
    size_t start;           /* in `out` */
};

/* Writes the next value of a choice behind ", "; beyond about 400 bytes they are only counted. */
void schema_reason_choice(struct buf *out, struct schema_choice *choice, const struct json *v);

/* Writes ", and 12 more" if values were left out. */
void schema_reason_choice_end(struct buf *out, const struct schema_choice *choice);

#endif
