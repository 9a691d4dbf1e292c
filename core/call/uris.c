#include "call/uris.h"

#include <string.h>

/* Returns the position of the URI in the text, or -1. */
static ptrdiff_t find(const struct uris *u, struct bytes uri)
{
    struct bytes rest = buf_bytes(&u->text), one;
    while (bytes_split(&rest, '\n', &one))
        if (one.n > 0 && bytes_equal(one, uri)) return one.p - u->text.p;
    return -1;
}

static bool is_uri(struct bytes uri)
{
    for (size_t i = 0; i < uri.n; i++)
        if ((unsigned char)uri.p[i] <= ' ' || uri.p[i] == 0x7f) return false;
    return uri.n > 0;
}

int uris_add(struct uris *u, struct bytes uri, struct error *error)
{
    if (!is_uri(uri))
        return error_set(error, "a URI must not be empty, nor have spaces or control characters");
    if (find(u, uri) >= 0) return 0;
    if (u->n >= URIS_MOST || u->text.n + uri.n + 1 > URIS_BYTES)
        return error_set(error, "too many URIs: %d and %d KiB are allowed", URIS_MOST,
                         URIS_BYTES / 1024);
    buf_add(&u->text, uri);
    buf_addc(&u->text, '\n');
    u->n++;
    return 0;
}

void uris_remove(struct uris *u, struct bytes uri)
{
    ptrdiff_t at = find(u, uri);
    if (at < 0) return;
    char *p = u->text.p + at;
    size_t behind = u->text.n - (size_t)at - uri.n - 1;
    memmove(p, p + uri.n + 1, behind);
    u->text.n -= uri.n + 1;
    u->n--;
}

bool uris_has(const struct uris *u, struct bytes uri)
{
    return find(u, uri) >= 0;
}

void uris_free(struct uris *u)
{
    buf_free(&u->text);
    u->n = 0;
}
