/* The checks of keywords that look at one value alone (2020-12 validation, 6.1 to 6.3 and 7).
 *
 * Every check lets values of another type pass: "minLength" has no opinion on a number. Numbers
 * are compared as they are written (schema_number.h), strings by code points. */
#ifndef LUNASK_SCHEMA_SCHEMA_SCALARS_H
#define LUNASK_SCHEMA_SCHEMA_SCALARS_H

#include "schema/schema_node.h"

/* of.types; `value` for the others */
schema_check_fn schema_scalars_type, schema_scalars_enum, schema_scalars_const;
/* of.limit */
schema_check_fn schema_scalars_min_length, schema_scalars_max_length;

/* of.pattern, which may break the run; of.format */
schema_check_fn schema_scalars_pattern, schema_scalars_format;

/* `value`, a number */
schema_check_fn schema_scalars_minimum, schema_scalars_maximum;
schema_check_fn schema_scalars_exclusive_minimum, schema_scalars_exclusive_maximum;
schema_check_fn schema_scalars_multiple_of;

#endif
