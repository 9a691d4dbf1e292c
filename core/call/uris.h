/* A set of URIs of resources: those a client subscribed to, those a call has changed.
 *
 * They are compared as texts, as everywhere in MCP: a client that writes one in another way means
 * another resource. */
#ifndef LUNASK_CALL_URIS_H
#define LUNASK_CALL_URIS_H

#include "base/buf.h"
#include "base/error.h"

enum { URIS_MOST = 256, URIS_BYTES = 64 * 1024 /* of all of them */ };

/* All zero is an empty set. */
struct uris {
    struct buf text; /* each ends in a line break, which none of them holds */
    size_t n;
};

/* Adds a URI; one that is there already is fine. Returns 0; or -1 with `error` for what can't be a
 * URI (empty, or with a space or control character), or is too much. */
int uris_add(struct uris *u, struct bytes uri, struct error *error);

/* Removes a URI; one that is not there is fine. */
void uris_remove(struct uris *u, struct bytes uri);

bool uris_has(const struct uris *u, struct bytes uri);

void uris_free(struct uris *u);

#endif
