/* The schemas of schemas: what a schema of 2020-12 or draft-07 looks like, as a schema.
 *
 * A schema may refer to them (a tool that takes a schema), and they are never fetched. They say
 * what the published ones say, each in one document; those of the single vocabularies are not here.
 */
#ifndef LUNASK_SCHEMA_SCHEMA_METASCHEMA_H
#define LUNASK_SCHEMA_SCHEMA_METASCHEMA_H

#include "base/arena.h"
#include "wire/json.h"

/* Returns the metaschema of that name (without "#"), parsed into `arena`; NULL if it is none. */
const struct json *schema_metaschema_find(struct arena *arena, struct bytes uri);

#endif
