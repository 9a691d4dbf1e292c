/* References of schemas put together as RFC 3986, 5 says, by text alone: nothing is ever fetched.
 * A URI is here the name of a schema. */
#ifndef LUNASK_SCHEMA_SCHEMA_URI_H
#define LUNASK_SCHEMA_SCHEMA_URI_H

#include "base/arena.h"

/* Returns `reference` resolved against `base` (RFC 3986, 5.2), its fragment left out; a copy in
 * `arena` unless it is `base`. An empty base leaves the reference as it is; so does one that has no
 * hierarchy ("urn:…"), unless the reference is empty or a fragment alone. */
struct bytes schema_uri_resolve(struct arena *arena, struct bytes base, struct bytes reference);

/* Returns what stands behind the first "#"; {NULL, 0} if there is none. */
struct bytes schema_uri_fragment(struct bytes reference);

#endif
