/* The checks of keywords that combine subschemas on one and the same value. */
#ifndef LUNASK_SCHEMA_SCHEMA_COMBINE_H
#define LUNASK_SCHEMA_SCHEMA_COMBINE_H

#include "schema/schema_node.h"

schema_check_fn schema_combine_all_of, schema_combine_any_of, schema_combine_one_of;
schema_check_fn schema_combine_not, schema_combine_if, schema_combine_ref;

#endif
