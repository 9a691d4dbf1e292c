/* The kinds of values that keywords take: each checks the value and makes it ready for the check.
 *
 * They are called in the order of the table of schema_keywords.c with check->run and check->value
 * set, fill in the member of check->of that the run function reads, and may set check->run to NULL
 * to leave the check out. What they allocate is in the arena. c->node is the schema that the
 * keyword stands in, for those that look at a neighbour. */
#ifndef LUNASK_SCHEMA_SCHEMA_OPERANDS_H
#define LUNASK_SCHEMA_SCHEMA_OPERANDS_H

#include "schema/schema_compile.h"

/* Returns 0, or -1 with the error in `c`. */
typedef int schema_operand_fn(struct schema_compile *c, struct schema_check *check,
                              const struct json *value);

schema_operand_fn schema_operands_any;        /* const */
schema_operand_fn schema_operands_array;      /* enum */
schema_operand_fn schema_operands_flag;       /* uniqueItems */
schema_operand_fn schema_operands_types;      /* type */
schema_operand_fn schema_operands_count;      /* minLength and its like */
schema_operand_fn schema_operands_number;     /* minimum and its like */
schema_operand_fn schema_operands_step;       /* multipleOf */
schema_operand_fn schema_operands_pattern;    /* pattern */
schema_operand_fn schema_operands_format;     /* format */
schema_operand_fn schema_operands_names;      /* required */
schema_operand_fn schema_operands_dependents; /* dependentRequired */
schema_operand_fn schema_operands_schema;     /* not, propertyNames, then, else */
schema_operand_fn schema_operands_list;       /* allOf and its like */
schema_operand_fn schema_operands_map;        /* properties, $defs and their like */
schema_operand_fn schema_operands_patterns;   /* patternProperties */
schema_operand_fn schema_operands_rest;       /* additionalProperties */
schema_operand_fn schema_operands_items;      /* items */
schema_operand_fn schema_operands_contains;   /* contains */
schema_operand_fn schema_operands_condition;  /* if */
schema_operand_fn schema_operands_ref;        /* $ref */
schema_operand_fn schema_operands_dialect;    /* $schema */
schema_operand_fn schema_operands_id;         /* $id */
schema_operand_fn schema_operands_string;     /* $id of draft-07 */
schema_operand_fn schema_operands_anchor;     /* $anchor, $dynamicAnchor */
schema_operand_fn schema_operands_dynamic_ref;
schema_operand_fn schema_operands_unevaluated; /* unevaluatedProperties, unevaluatedItems */
/* draft-07: items, additionalItems, dependencies; the first sets check->run itself */
schema_operand_fn schema_operands_old_items, schema_operands_additional_items;
schema_operand_fn schema_operands_dependencies;

#endif
