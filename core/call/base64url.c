#include "call/base64url.h"

#include <sodium.h>

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

void base64url_add(struct buf *out, const void *p, size_t n)
{
    size_t room = sodium_base64_encoded_len(n, VARIANT); /* with the NUL that it writes */
    sodium_bin2base64(buf_reserve(out, room), room, p, n, VARIANT);
    out->n += room - 1;
}

static bool in_alphabet(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

/* libsodium refuses padding, spare bits and what is foreign in ASCII, but 1.0.18 takes bytes from
 * 0x80 up for some digit or other; hence the look at each character first. */
int base64url_read(struct bytes text, void *to, size_t room, size_t *n_r)
{
    *n_r = 0;
    for (size_t i = 0; i < text.n; i++)
        if (!in_alphabet(text.p[i])) return -1;
    return sodium_base642bin(to, room, text.p, text.n, NULL, n_r, NULL, VARIANT);
}
