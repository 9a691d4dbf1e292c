/* The checks of keywords that look at one value alone. */
#ifndef LUNASK_SCHEMA_SCHEMA_SCALARS_H
#define LUNASK_SCHEMA_SCHEMA_SCALARS_H

#include "schema/schema_node.h"

schema_check_fn schema_scalars_type, schema_scalars_enum, schema_scalars_const;
schema_check_fn schema_scalars_min_length, schema_scalars_max_length;
schema_check_fn schema_scalars_pattern, schema_scalars_format;
schema_check_fn schema_scalars_minimum, schema_scalars_maximum;
schema_check_fn schema_scalars_exclusive_minimum, schema_scalars_exclusive_maximum;
schema_check_fn schema_scalars_multiple_of;

#endif
