/* The checks of keywords that look into arrays (2020-12 core, 10.3.1; validation, 6.4). What is no
 * array passes. */
#ifndef LUNASK_SCHEMA_SCHEMA_ARRAYS_H
#define LUNASK_SCHEMA_SCHEMA_ARRAYS_H

#include "schema/schema_node.h"

/* of.limit, of.limit; `value`, a boolean. Uniqueness is judged by json_equal: 1 and 1.0 are equal,
 * 1 and true are not. Its cost is the number of cells, in steps. */
schema_check_fn schema_arrays_min_items, schema_arrays_max_items, schema_arrays_unique_items;

/* of.list; of.items; of.contains, with minContains and maxContains beside it. prefixItems speaks of
 * the first elements, items of those behind (2020-12 core, 10.3.1); an array may be shorter than
 * its prefix. */
schema_check_fn schema_arrays_prefix_items, schema_arrays_items, schema_arrays_contains;

/* of.rest: the elements that nobody has looked at (2020-12 core, 11.2) */
schema_check_fn schema_arrays_unevaluated;

#endif
