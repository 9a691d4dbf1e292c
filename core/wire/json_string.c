#include "wire/json_string.h"

#include "wire/utf8.h"

#include <string.h>

static int fail(struct json_error *error, const char *reason, size_t at)
{
    *error = (struct json_error){reason, at};
    return -1;
}

static uint64_t every_byte(unsigned char c)
{
    return 0x0101010101010101 * (uint64_t)c;
}

/* Marks (0x80) the bytes of `word` that are not plain: control, quote, backslash, beyond ASCII. A
 * borrow may mark bytes above the lowest one marked too, so only that one is to be trusted. */
static uint64_t special_bytes(uint64_t word)
{
    uint64_t control = word - every_byte(0x20);
    uint64_t quote = (word ^ every_byte('"')) - every_byte(1);
    uint64_t backslash = (word ^ every_byte('\\')) - every_byte(1);
    return (word | control | quote | backslash) & every_byte(0x80);
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

static const char *skip_plain(const char *p, const char *end)
{
    uint64_t word;
    while ((size_t)(end - p) >= sizeof word) {
        memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        uint64_t special = special_bytes(word);
        if (special) return p + __builtin_ctzll(special) / 8;
        p += sizeof word;
    }
    while (p < end && is_plain((unsigned char)*p))
        p++;
    return p;
}

int json_string_scan(struct bytes text, size_t *size_r, bool *escaped_r, struct json_error *error)
{
    const char *p = text.p + 1;
    const char *end = text.p + text.n;
    *escaped_r = false;
    for (;;) {
        p = skip_plain(p, end);
        if (p == end) return fail(error, "the text ends inside a string", text.n);
        unsigned char c = (unsigned char)*p;
        size_t at = (size_t)(p - text.p);
        if (c == '"') {
            *size_r = at + 1;
            return 0;
        } else if (c == '\\') {
            if (end - p < 2) return fail(error, "the text ends inside a string", text.n);
            *escaped_r = true;
            p += 2;
        } else if (c < 0x20) {
            return fail(error, "control character in a string", at);
        } else {
            struct bytes rest = {p, (size_t)(end - p)};
            uint32_t code;
            if (!utf8_next(&rest, &code)) return fail(error, "invalid UTF-8", at);
            p = rest.p;
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

/* Reads "\uXXXX" from the front of *rest. */
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
    rest->p += 6;
    rest->n -= 6;
    return true;
}

/* Both return NULL, or the reason why the escape is refused. */

static const char *take_code(struct bytes *rest, uint32_t *code_r)
{
    uint32_t low;
    if (!take_unit(rest, code_r)) return "invalid escape";
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
    rest->p += 2;
    rest->n -= 2;
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
        rest.p += run;
        rest.n -= run;
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
