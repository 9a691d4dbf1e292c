/* The checks of keywords that look into arrays. */
#ifndef LUNASK_SCHEMA_SCHEMA_ARRAYS_H
#define LUNASK_SCHEMA_SCHEMA_ARRAYS_H

#include "schema/schema_node.h"

schema_check_fn schema_arrays_min_items, schema_arrays_max_items, schema_arrays_unique_items;
schema_check_fn schema_arrays_prefix_items, schema_arrays_items, schema_arrays_contains;

#endif
