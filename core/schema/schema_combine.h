/* The checks of keywords that combine subschemas on one and the same value (2020-12 core, 10.2).
 *
 * Branches are tried for the verdict alone; only when a branch should have matched and none did is
 * it worth finding out why (schema_explain.h). A run that breaks in a branch is invalid as a whole:
 * "not" must not turn "gave up" into "valid". */
#ifndef LUNASK_SCHEMA_SCHEMA_COMBINE_H
#define LUNASK_SCHEMA_SCHEMA_COMBINE_H

#include "schema/schema_node.h"

/* of.list */
schema_check_fn schema_combine_all_of, schema_combine_any_of, schema_combine_one_of;

/* of.node; of.condition; of.node */
schema_check_fn schema_combine_not, schema_combine_if, schema_combine_ref;

/* of.dynamic */
schema_check_fn schema_combine_dynamic_ref;

#endif
