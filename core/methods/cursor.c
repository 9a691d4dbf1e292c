#include "methods/cursor.h"

#include "call/base64url.h"

/* What a cursor begins with: another letter when what follows means something else. */
static const char LETTERS[OFFER_KINDS] = {'t', 'p', 'r', 'u'};

void cursor_write(enum offer_kind kind, struct bytes key, struct buf *out)
{
    struct buf plain = {0};
    buf_addc(&plain, LETTERS[kind]);
    buf_add(&plain, key);
    base64url_add(out, plain.p, plain.n);
    buf_free(&plain);
}

int cursor_read(struct bytes text, enum offer_kind kind, struct buf *key)
{
    char plain[1 + CURSOR_KEY_BYTES];
    size_t n;
    if (base64url_read(text, plain, sizeof plain, &n) != 0) return -1;
    if (n < 2 || plain[0] != LETTERS[kind]) return -1;
    buf_add(key, (struct bytes){plain + 1, n - 1});
    return 0;
}
