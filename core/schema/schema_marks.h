/* Which members or elements of one value have been looked at: what the "unevaluated…" keywords ask
 * for (2020-12 core, 11). A set of cells, by their distance from the value on its tape.
 *
 * A node that wants to know has a set of its own while it runs, and so has each branch that is
 * tried; a set is merged into the one around it only where what made it was valid, so that nothing
 * counts that a failed branch looked at. */
#ifndef LUNASK_SCHEMA_SCHEMA_MARKS_H
#define LUNASK_SCHEMA_SCHEMA_MARKS_H

#include "wire/json.h"

struct schema_marks {
    const struct json *of; /* an object or array */
    uint64_t few;          /* the set itself where the value has up to 64 cells, … */
    uint64_t *words;       /* … else here */
};

/* Makes an empty set for `v`, to be freed with schema_marks_end. */
struct schema_marks schema_marks_begin(const struct json *v);
void schema_marks_end(struct schema_marks *marks);

/* Returns what a set of `v` costs in steps of a run. */
unsigned schema_marks_cost(const struct json *v);

/* `cell` is the value of a member, or an element. */
void schema_marks_add(struct schema_marks *marks, const struct json *cell);
bool schema_marks_has(const struct schema_marks *marks, const struct json *cell);

/* Adds all of `from`, which is of the same value. */
void schema_marks_merge(struct schema_marks *into, const struct schema_marks *from);

#endif
