#include "wire/json_string.h"

#include "wire/utf8.h"

#include <string.h>

static const char ENDED[] = "the text ends inside a string";

static int fail(struct json_error *error, const char *reason, size_t at)
{
    *error = (struct json_error){reason, at};
    return -1;
}

static void skip(struct bytes *rest, size_t n)
{
    rest->p += n;
    rest->n -= n;
}

/* Returns a word all of whose bytes are `c`. */
static uint64_t every_byte(unsigned char c)
{
    return 0x0101010101010101 * (uint64_t)c;
}

/* Marks (0x80) the bytes of `word` that are not plain: a byte that is less than what is taken away,
 * or is zero once the character wanted is xor'ed out, borrows into its top bit. A borrow may mark
 * bytes above the lowest marked one too, so only that one is to be trusted. */
static uint64_t special_bytes(uint64_t word)
{
    uint64_t control = word - every_byte(0x20);
    uint64_t quote = (word ^ every_byte('"')) - every_byte(1);
    uint64_t backslash = (word ^ every_byte('\\')) - every_byte(1);
    uint64_t del = (word ^ every_byte(0x7f)) - every_byte(1);
    return (word | control | quote | backslash | del) & every_byte(0x80);
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

size_t json_string_plain(struct bytes text)
{
    size_t n = 0;
    uint64_t word;
    for (; text.n - n >= sizeof word; n += sizeof word) {
        memcpy(&word, text.p + n, sizeof word);
/* The first byte of the text must be the lowest: that is the one to be trusted. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        uint64_t special = special_bytes(word);
        if (special) return n + (size_t)__builtin_ctzll(special) / 8;
    }
    while (n < text.n && is_plain((unsigned char)text.p[n]))
        n++;
    return n;
}

int json_string_scan(struct bytes text, size_t *size_r, bool *escaped_r, struct json_error *error)
{
    struct bytes rest = {text.p + 1, text.n - 1};
    *escaped_r = false;
    for (;;) {
        skip(&rest, json_string_plain(rest));
        size_t at = text.n - rest.n;
        uint32_t code;
        if (rest.n == 0) return fail(error, ENDED, at);
        unsigned char c = (unsigned char)*rest.p;
        if (c == '"') {
            *size_r = at + 1;
            return 0;
        } else if (c == '\\') {
            if (rest.n < 2) return fail(error, ENDED, text.n);
            *escaped_r = true;
            skip(&rest, 2);
        } else if (c < 0x20) {
            return fail(error, "control character in a string", at);
        } else if (!utf8_next(&rest, &code)) {
            return fail(error, "invalid UTF-8", at);
        }
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Reads "\uXXXX", one UTF-16 unit, from the front of *rest; moves nothing if it isn't one. */
static bool take_unit(struct bytes *rest, uint32_t *unit_r)
{
    if (rest->n < 6 || rest->p[0] != '\\' || rest->p[1] != 'u') return false;
    uint32_t unit = 0;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(rest->p[i]);
        if (digit < 0) return false;
        unit = unit << 4 | (uint32_t)digit;
    }
    *unit_r = unit;
    skip(rest, 6);
    return true;
}

/* Both return NULL, or the reason why the escape is refused. */

static const char *take_code(struct bytes *rest, uint32_t *code_r)
{
    uint32_t low;
    if (!take_unit(rest, code_r)) return "invalid escape";
    /* Outside the surrogates a unit is a code point; inside, a high one must be followed by a low
     * one, as half a pair has no UTF-8 (RFC 3629, 3). */
    if (*code_r < 0xd800 || *code_r > 0xdfff) return NULL;
    if (*code_r > 0xdbff || !take_unit(rest, &low) || low < 0xdc00 || low > 0xdfff)
        return "lone surrogate";
    *code_r = 0x10000 + ((*code_r - 0xd800) << 10) + (low - 0xdc00);
    return NULL;
}

static const char *take_escape(struct bytes *rest, uint32_t *code_r)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (rest->p[1] == 'u') return take_code(rest, code_r);
    const char *letter = memchr(letters, rest->p[1], sizeof letters - 1);
    if (!letter) return "invalid escape";
    *code_r = (uint32_t)meanings[letter - letters];
    skip(rest, 2);
    return NULL;
}

int json_string_decode(struct bytes inside, char *out, size_t *size_r, struct json_error *error)
{
    struct bytes rest = inside;
    char *to = out;
    for (;;) {
        const char *escape = memchr(rest.p, '\\', rest.n);
        size_t run = escape ? (size_t)(escape - rest.p) : rest.n;
        memcpy(to, rest.p, run);
        to += run;
        skip(&rest, run);
        if (!escape) break;
        uint32_t code;
        const char *refused = take_escape(&rest, &code);
        if (refused) return fail(error, refused, (size_t)(escape - inside.p));
        char sequence[4];
        size_t size = utf8_encode(code, sequence);
        memcpy(to, sequence, size);
        to += size;
    }
    *size_r = (size_t)(to - out);
    return 0;
}
