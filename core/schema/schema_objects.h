/* The checks of keywords that look into objects. */
#ifndef LUNASK_SCHEMA_SCHEMA_OBJECTS_H
#define LUNASK_SCHEMA_SCHEMA_OBJECTS_H

#include "schema/schema_node.h"

schema_check_fn schema_objects_required, schema_objects_dependent_required;
schema_check_fn schema_objects_min_properties, schema_objects_max_properties;
schema_check_fn schema_objects_properties, schema_objects_pattern_properties;
schema_check_fn schema_objects_additional_properties, schema_objects_property_names;
schema_check_fn schema_objects_dependent_schemas;

#endif
