/* The checks of keywords that look into objects (2020-12 core, 10.2.2.4 and 10.3.2; validation,
 * 6.5). What is no object passes. */
#ifndef LUNASK_SCHEMA_SCHEMA_OBJECTS_H
#define LUNASK_SCHEMA_SCHEMA_OBJECTS_H

#include "schema/schema_node.h"

/* `value`: names, and an object of names. A missing member is a reason at the member's own place,
 * so that it reads "topic is missing". */
schema_check_fn schema_objects_required, schema_objects_dependent_required;

/* of.limit */
schema_check_fn schema_objects_min_properties, schema_objects_max_properties;

/* of.map, in the order of the schema; of.map, in the order of the value */
schema_check_fn schema_objects_properties, schema_objects_pattern_properties;

/* of.rest: what those two leave over, with a suggestion if it is forbidden; of.node, for names */
schema_check_fn schema_objects_additional_properties, schema_objects_property_names;

/* of.map, by the name that has to be there */
schema_check_fn schema_objects_dependent_schemas;

/* of.map, of draft-07; of.rest: the members that nobody has looked at (2020-12 core, 11.3) */
schema_check_fn schema_objects_dependencies, schema_objects_unevaluated;

#endif
