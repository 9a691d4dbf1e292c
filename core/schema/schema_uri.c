#include "schema/schema_uri.h"

#include "base/buf.h"

#include <string.h>

/* The parts of RFC 3986, 3, each with the mark that sets it off: "http:", "//host", "/path", "?q".
 * What is not there is empty. */
struct parts {
    struct bytes scheme, authority, path, query;
};

/* Returns the place of the first byte of `set` in `b`, or b.n. */
static size_t find_any(struct bytes b, const char *set)
{
    size_t i = 0;
    while (i < b.n && !(b.p[i] && strchr(set, b.p[i])))
        i++;
    return i;
}

/* Takes the first `n` bytes off `rest`. */
static struct bytes take(struct bytes *rest, size_t n)
{
    struct bytes taken = {rest->p, n};
    if (n > 0) *rest = (struct bytes){rest->p + n, rest->n - n}; /* of nothing, p may be NULL */
    return taken;
}

static struct parts split(struct bytes uri)
{
    struct parts parts = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    if (uri.n == 0) return parts; /* its pointer may be NULL */
    struct bytes rest = {uri.p, find_any(uri, "#")};
    size_t colon = find_any(rest, ":/?");
    if (colon > 0 && colon < rest.n && rest.p[colon] == ':') parts.scheme = take(&rest, colon + 1);
    if (bytes_starts(rest, BYTES("//"))) {
        struct bytes host = {rest.p + 2, rest.n - 2};
        parts.authority = take(&rest, 2 + find_any(host, "/?"));
    }
    parts.path = take(&rest, find_any(rest, "?"));
    parts.query = rest;
    return parts;
}

/* Drops the last segment of what `out` holds from `start` on, with its slash. */
static void drop_segment(struct buf *out, size_t start)
{
    while (out->n > start && out->p[--out->n] != '/')
        continue;
}

/* Writes `path` without "." and ".." (RFC 3986, 5.2.4). */
static void add_without_dots(struct buf *out, struct bytes path)
{
    size_t start = out->n;
    while (path.n) {
        bool slash = path.p[0] == '/';
        struct bytes rest = {path.p + slash, path.n - slash};
        struct bytes segment = {rest.p, find_any(rest, "/")};
        bool up = bytes_equal(segment, BYTES("..")), stay = bytes_equal(segment, BYTES("."));
        if (up) drop_segment(out, start);
        if (!up && !stay) buf_add(out, (struct bytes){path.p, slash + segment.n});
        path = (struct bytes){rest.p + segment.n, rest.n - segment.n};
        if ((up || stay) && path.n == 0) buf_addc(out, '/');
    }
}

/* Writes the path of a reference that has neither scheme, authority nor "/" in front: it stands in
 * the place of the last segment of the base's. */
static void add_merged(struct buf *out, const struct parts *base, struct bytes path)
{
    struct buf merged = {0};
    size_t folder = base->path.n;
    while (folder > 0 && base->path.p[folder - 1] != '/')
        folder--;
    buf_add(&merged, (struct bytes){base->path.p, folder});
    if (base->path.n == 0 && base->authority.n) buf_addc(&merged, '/');
    buf_add(&merged, path);
    add_without_dots(out, buf_bytes(&merged));
    buf_free(&merged);
}

static void add_resolved(struct buf *out, const struct parts *base, const struct parts *parts)
{
    bool absolute = parts->scheme.n > 0, host = parts->authority.n > 0;
    buf_add(out, absolute ? parts->scheme : base->scheme);
    buf_add(out, absolute || host ? parts->authority : base->authority);
    if (absolute && !host && (parts->path.n == 0 || parts->path.p[0] != '/'))
        buf_add(out, parts->path); /* "urn:a/../b" has no segments to go up */
    else if (absolute || host || (parts->path.n && parts->path.p[0] == '/'))
        add_without_dots(out, parts->path);
    else if (parts->path.n)
        add_merged(out, base, parts->path);
    else
        buf_add(out, base->path);
    buf_add(out, parts->query.n || parts->path.n || absolute || host ? parts->query : base->query);
}

struct bytes schema_uri_resolve(struct arena *arena, struct bytes base, struct bytes reference)
{
    struct parts from = split(base), parts = split(reference);
    bool empty = !parts.scheme.n && !parts.authority.n && !parts.path.n && !parts.query.n;
    if (empty) return base;
    bool flat = from.scheme.n && !from.authority.n && (!from.path.n || from.path.p[0] != '/');
    struct buf out = {0};
    if (flat) from = (struct parts){{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    add_resolved(&out, &from, &parts);
    struct bytes copy = arena_copy(arena, buf_bytes(&out));
    buf_free(&out);
    return copy;
}

struct bytes schema_uri_fragment(struct bytes reference)
{
    size_t hash = find_any(reference, "#");
    if (hash == reference.n) return (struct bytes){NULL, 0};
    return (struct bytes){reference.p + hash + 1, reference.n - hash - 1};
}
