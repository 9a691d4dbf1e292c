/* "Did you mean …?": the name that a mistyped one was most likely meant to be. */
#ifndef LUNASK_BASE_NEAREST_H
#define LUNASK_BASE_NEAREST_H

/* Returns the entry of the NULL-terminated `names` that is nearest to `name`, or NULL when none is
 * near. Near is at most 2 edits (a letter added, left out, changed, or swapped with its neighbour;
 * ASCII letters of either case are equal), and at most 1 for a name of up to 3 bytes, where 2 would
 * fit almost anything. The first of equally near ones wins. */
const char *nearest_name(const char *name, const char *const *names);

#endif
