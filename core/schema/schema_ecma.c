#include "schema/schema_ecma.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* WhiteSpace and LineTerminator of ECMA-262 as the inside of a class, and all the rest. A class has
 * no way to take in the complement of another, hence both in full. */
#define SPACES                                                                                     \
    "\\x09-\\x0d\\x20\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
#define NO_SPACES                                                                                  \
    "\\x00-\\x08\\x0e-\\x1f\\x21-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e"  \
    "\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ud7ff\\ue000-\\ufefe\\uff00-\\u{10ffff}"

struct reader {
    struct bytes text;
    size_t i; /* of the next byte to read */
    struct buf *out;
    bool repeatable; /* a quantifier may follow */
    struct error *error;
};

/* ECMA-262 names general categories in words too; PCRE2 knows their abbreviations alone. */
static const char *const CATEGORIES[][2] = {
    {"Letter", "L"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Other", "C"},
    {"Control", "Cc"},
};

/* Says that the `n` bytes at `at` are nothing of ECMA-262. */
static int refuse(struct reader *r, size_t at, size_t n, const char *hint)
{
    if (n > r->text.n - at) n = r->text.n - at;
    return error_set(r->error, "%.*s is not in ECMA-262%s%s, at character %zu", (int)n,
                     r->text.p + at, hint ? ": " : "", hint ? hint : "", at);
}

/* The byte `ahead` of the next one; NUL behind the end. */
static char peek(const struct reader *r, size_t ahead)
{
    return r->i + ahead < r->text.n ? r->text.p[r->i + ahead] : '\0';
}

static bool is_in(char c, const char *set)
{
    return c && strchr(set, c);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
    return is_digit(c) || is_in(c, "abcdefABCDEF");
}

/* Copies the next `n` bytes as they are. */
static void copy(struct reader *r, size_t n)
{
    buf_add(r->out, (struct bytes){r->text.p + r->i, n});
    r->i += n;
}

/* Whether PCRE2 alone knows the property: what is loose or negated within, and its Xan and the
 * like, which are no names of Unicode. */
static bool is_foreign_property(struct bytes name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!is_letter(name.p[i]) && !is_digit(name.p[i]) && !is_in(name.p[i], "_=")) return true;
    return name.n == 0 || (name.n == 3 && name.p[0] == 'X' && is_in(name.p[1], "apsuw"));
}

/* Writes the name of a property, what stands between \p{ and }, as PCRE2 has it. */
static void add_property(struct buf *out, struct bytes name)
{
    static const char *const PREFIXES[] = {"General_Category=", "gc=", "Script=", "sc="};
    for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++) {
        struct bytes prefix = bytes_of(PREFIXES[i]);
        if (!bytes_starts(name, prefix)) continue;
        name = (struct bytes){name.p + prefix.n, name.n - prefix.n};
        break;
    }
    for (size_t i = 0; i < sizeof CATEGORIES / sizeof *CATEGORIES; i++)
        if (bytes_equal(name, bytes_of(CATEGORIES[i][0]))) name = bytes_of(CATEGORIES[i][1]);
    buf_addc(out, '{');
    buf_add(out, name);
    buf_addc(out, '}');
}

static int read_property(struct reader *r)
{
    const char *start = r->text.p + r->i + 3;
    if (peek(r, 2) != '{') return refuse(r, r->i, 2, "write \\p{Letter}");
    const char *end = memchr(start, '}', r->text.n - r->i - 3);
    if (!end) return refuse(r, r->i, 3, "a } is missing");
    struct bytes name = {start, (size_t)(end - start)};
    if (is_foreign_property(name)) return refuse(r, r->i, name.n + 4, NULL);
    copy(r, 2);
    add_property(r->out, name);
    r->i = (size_t)(end - r->text.p) + 1;
    return 0;
}

/* The four hexadecimal digits `ahead` of the next byte; -1 if they are others. */
static long hex4(const struct reader *r, size_t ahead)
{
    char digits[5] = "";
    for (size_t i = 0; i < 4; i++) {
        digits[i] = peek(r, ahead + i);
        if (!is_hex(digits[i])) return -1;
    }
    return strtol(digits, NULL, 16);
}

/* \u0041, \u{41}, and the two halves of a code point as one. */
static int read_unicode(struct reader *r)
{
    long high = hex4(r, 2), low = peek(r, 6) == '\\' && peek(r, 7) == 'u' ? hex4(r, 8) : -1;
    if (high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        buf_printf(r->out, "\\u{%lx}", 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
        r->i += 12;
        return 0;
    }
    size_t n = 6;
    if (high < 0 && peek(r, 2) == '{') {
        for (n = 3; is_hex(peek(r, n));)
            n++;
        n = peek(r, n) == '}' && n > 3 ? n + 1 : 0;
    }
    if (high < 0 && (peek(r, 2) != '{' || n == 0))
        return refuse(r, r->i, 2, "write \\u0041 or \\u{41}");
    copy(r, n);
    return 0;
}

/* A letter that begins no escape, with what says the same. */
static int refuse_letter(struct reader *r)
{
    switch (peek(r, 1)) {
    case 'A':
        return refuse(r, r->i, 2, "^ is the start of the text");
    case 'Z':
    case 'z':
        return refuse(r, r->i, 2, "$ is the end of the text");
    case 'h':
        return refuse(r, r->i, 2, "write [ \\t]");
    case 'R':
        return refuse(r, r->i, 2, "write \\r?\\n");
    case 'k':
        return refuse(r, r->i, 2, "write \\k<name>, outside a class");
    case '\0':
        return refuse(r, r->i, 2, "an escaped character is missing");
    default:
        return refuse(r, r->i, 2, NULL);
    }
}

/* The escapes that a class has too. Sets *set_r if it stands for several characters. */
static int read_character(struct reader *r, bool *set_r)
{
    char c = peek(r, 1);
    *set_r = is_in(c, "dDsSwWpP");
    if (c == 'p' || c == 'P') return read_property(r);
    if (c == 'u') return read_unicode(r);
    if (c == 'x' && !(is_hex(peek(r, 2)) && is_hex(peek(r, 3))))
        return refuse(r, r->i, 2, "write \\x41 or \\u{41}");
    if (c == 'c' && !is_letter(peek(r, 2))) return refuse(r, r->i, 2, "a letter follows \\c");
    if (c == '0' && is_digit(peek(r, 2))) return refuse(r, r->i, 3, "write \\x00");
    if (c == 'v') {
        buf_addz(r->out, "\\x0b"); /* of PCRE2 it is all vertical space */
        r->i += 2;
        return 0;
    }
    if (c == '\0' || (is_letter(c) && !is_in(c, "dDwWfnrtxc"))) return refuse_letter(r);
    if (is_digit(c) && c != '0') return refuse(r, r->i, 2, "write \\x01");
    if ((unsigned char)c >= 0x80)
        r->i++; /* of a character of several bytes, which is itself, the backslash goes */
    else
        copy(r, 2);
    return 0;
}

static int read_class_escape(struct reader *r, bool *set_r)
{
    char c = peek(r, 1);
    *set_r = false;
    if (c == 's' || c == 'S') {
        *set_r = true;
        buf_addz(r->out, c == 's' ? SPACES : NO_SPACES);
        r->i += 2;
        return 0;
    }
    if (c != 'b') return read_character(r, set_r);
    copy(r, 2); /* a backspace */
    return 0;
}

/* A class, from its "[" on. In it, "[" is itself: PCRE2 would look for [:alpha:]. A set of
 * characters can't be an end of a range; where \s is written out, PCRE2 would take it for one. */
static int read_class(struct reader *r)
{
    bool set = false, range = false; /* what came last; whether a "-" has begun a range */
    size_t begun = r->i;
    copy(r, peek(r, 1) == '^' ? 2 : 1);
    while (r->i < r->text.n && r->text.p[r->i] != ']') {
        size_t at = r->i;
        bool was_set = set,
             first = at == begun + 1 || (at == begun + 2 && r->text.p[at - 1] == '^');
        char c = peek(r, 0);
        set = false;
        if (c == '-' && !first && !range && peek(r, 1) != ']' && r->i + 1 < r->text.n) {
            if (was_set)
                return refuse(r, at - 2, 3, "a range begins with one character; write \\-");
            range = true;
            copy(r, 1);
            continue;
        }
        if (c == '[') buf_addc(r->out, '\\');
        if (c != '\\')
            copy(r, 1);
        else if (read_class_escape(r, &set) < 0)
            return -1;
        if (range && set) return refuse(r, at - 1, 3, "a range ends with one character; write \\-");
        /* The other bytes of a character belong to the same end. */
        while (((unsigned char)peek(r, 0) & 0xC0) == 0x80)
            copy(r, 1);
        range = false;
    }
    copy(r, r->i < r->text.n);
    r->repeatable = true;
    return 0;
}

/* An escape outside a class. */
static int read_escape(struct reader *r)
{
    char c = peek(r, 1);
    bool set;
    r->repeatable = !is_in(c, "bB");
    if (is_in(c, "bB")) {
        copy(r, 2);
    } else if (c == 's' || c == 'S') {
        buf_addz(r->out, c == 's' ? "[" SPACES "]" : "[^" SPACES "]");
        r->i += 2;
    } else if (c == 'k' && peek(r, 2) == '<') {
        copy(r, 3);
    } else if (is_digit(c) && c != '0') {
        /* \12 is the twelfth group, and never octal. */
        buf_addz(r->out, "\\g{");
        for (r->i++; is_digit(peek(r, 0));)
            copy(r, 1);
        buf_addc(r->out, '}');
    } else {
        return read_character(r, &set);
    }
    return 0;
}

/* Of what begins with "(?", ECMA-262 has (?: (?= (?! (?<= (?<! and (?<name>. */
static int read_group(struct reader *r)
{
    char kind = peek(r, 2);
    r->repeatable = false;
    if (peek(r, 1) == '*') return refuse(r, r->i, 2, "a ( opens a group");
    if (peek(r, 1) != '?') {
        copy(r, 1);
    } else if (is_in(kind, ":=!") || (kind == '<' && is_in(peek(r, 3), "=!"))) {
        copy(r, kind == '<' ? 4 : 3);
    } else if (kind == '<' && (is_letter(peek(r, 3)) || peek(r, 3) == '_')) {
        copy(r, 3);
    } else if (is_in(kind, "P'")) {
        return refuse(r, r->i, 3, "a group is named (?<name>…)");
    } else {
        return refuse(r, r->i, 3,
                      "of groups it has (?:…), (?<name>…), (?=…), (?!…), (?<=…), (?<!…)");
    }
    return 0;
}

/* The length of a "{n}", "{n,}" or "{n,m}" that comes next; 0 if there is none. */
static size_t braces(const struct reader *r)
{
    size_t n = 1;
    while (is_digit(peek(r, n)))
        n++;
    if (n == 1) return 0;
    if (peek(r, n) == ',') n++;
    while (is_digit(peek(r, n)))
        n++;
    return peek(r, n) == '}' ? n + 1 : 0;
}

static int read_quantifier(struct reader *r, size_t n)
{
    size_t at = r->i;
    if (!r->repeatable) return refuse(r, at, n, "there is nothing before it to repeat");
    copy(r, n);
    if (peek(r, 0) == '?') copy(r, 1);
    r->repeatable = false;
    if (peek(r, 0) != '+') return 0;
    return refuse(r, at, r->i - at + 1, "it has no possessive quantifiers");
}

/* One character or construct that isn't escaped. */
static int read_plain(struct reader *r)
{
    char c = peek(r, 0);
    if (c == '{') {
        size_t n = braces(r);
        if (n) return read_quantifier(r, n);
        buf_addc(r->out, '\\'); /* PCRE2 may know {,3} as well */
    } else if (c == '.') {
        buf_addz(r->out, "[^\\n\\r\\u2028\\u2029]");
        r->i++;
        r->repeatable = true;
        return 0;
    }
    copy(r, 1);
    r->repeatable = !is_in(c, "^$|");
    return 0;
}

static int read_next(struct reader *r)
{
    switch (peek(r, 0)) {
    case '\\':
        return read_escape(r);
    case '[':
        return read_class(r);
    case '(':
        return read_group(r);
    case '*':
    case '+':
    case '?':
        return read_quantifier(r, 1);
    default:
        return read_plain(r);
    }
}

int schema_ecma_translate(struct bytes text, struct buf *out, struct error *error)
{
    struct reader r = {.text = text, .out = out, .error = error};
    while (r.i < text.n)
        if (read_next(&r) < 0) return -1;
    return 0;
}
