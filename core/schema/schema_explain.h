/* Reasons for alternatives: which of several subschemas was meant, and what is wrong with it.
 *
 * "Must match one of 5 alternatives" helps nobody. Most alternatives are told apart by their type
 * or by a constant member ("kind"), so the one that was meant can be guessed, and its own reasons
 * given. A guess costs a second run of the branch, from the same budget, and only when a reason is
 * wanted. */
#ifndef LUNASK_SCHEMA_SCHEMA_EXPLAIN_H
#define LUNASK_SCHEMA_SCHEMA_EXPLAIN_H

#include "schema/schema_node.h"

/* Explains that `v` matches none of `list`. By what fits first:
 *   colour must be one of "red", "green", not "blue"      all are const or enum
 *   size must be a string or null, not a number           no alternative allows the type
 *   size must be at most 5 characters long                one alternative allows the type, or has
 *                                                         the const members that `v` has
 *   pet must match one of 2 alternatives: pet.name is missing, or pet.age is missing */
void schema_explain_none(struct schema_run *run, const struct schema_list *list,
                         const struct json *v, const struct schema_place *at);

/* Explains that the value matches two of `list` where it must match one: `which` are they. */
void schema_explain_several(struct schema_run *run, const struct schema_list *list,
                            const uint32_t which[2], const struct schema_place *at);

/* Explains that the value matches `node` and must not. */
void schema_explain_not(struct schema_run *run, const struct schema_node *node,
                        const struct schema_place *at);

#endif
