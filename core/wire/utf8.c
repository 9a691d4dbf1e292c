#include "wire/utf8.h"

#include <string.h>

/* How many bytes a sequence takes by its first one; 0 if none starts so. */
static size_t sequence_size(unsigned char first)
{
    if (first < 0x80) return 1;
    if (first < 0xc2) return 0;
    if (first < 0xe0) return 2;
    if (first < 0xf0) return 3;
    return first < 0xf5 ? 4 : 0;
}

/* 0xc2 and up rule out overlong pairs already; longer forms are told by their value. */
static bool allowed(uint32_t code, size_t size)
{
    if (size == 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
    if (size == 4) return code >= 0x10000 && code <= 0x10ffff;
    return true;
}

bool utf8_next(struct bytes *rest, uint32_t *code_r)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    if (rest->n == 0) return false;
    const unsigned char *s = (const unsigned char *)rest->p;
    size_t size = sequence_size(s[0]);
    if (size == 0 || size > rest->n) return false;
    uint32_t code = s[0] & first_bits[size];
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80) return false;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (!allowed(code, size)) return false;
    *code_r = code;
    rest->p += size;
    rest->n -= size;
    return true;
}

/* Eight bytes at a time: most text is ASCII, whatever the language of the rest. */
static void skip_ascii(struct bytes *rest)
{
    uint64_t word;
    while (rest->n >= sizeof word) {
        memcpy(&word, rest->p, sizeof word);
        if (word & 0x8080808080808080) break;
        rest->p += sizeof word;
        rest->n -= sizeof word;
    }
}

bool utf8_valid(struct bytes text)
{
    uint32_t code;
    do {
        skip_ascii(&text);
    } while (utf8_next(&text, &code));
    return text.n == 0;
}

size_t utf8_length(struct bytes text)
{
    size_t length = 0;
    for (size_t i = 0; i < text.n; i++)
        length += ((unsigned char)text.p[i] & 0xc0) != 0x80; /* all but continuation bytes */
    return length;
}

size_t utf8_encode(uint32_t code, char out[4])
{
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(marks[size] | code);
    return size;
}
