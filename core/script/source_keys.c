#include "script/source_keys.h"

#include <ctype.h>

/* A walk through the text, token by token; the last one is a view. */
struct walk {
    struct bytes rest;
    int line; /* of the first byte of `rest` */
    struct bytes token;
    int token_line;
};

static void skip(struct walk *w, size_t n)
{
    if (n > w->rest.n) n = w->rest.n;
    for (size_t i = 0; i < n; i++)
        if (w->rest.p[i] == '\n') w->line++;
    w->rest.p += n;
    w->rest.n -= n;
}

static char peek(const struct walk *w, size_t at)
{
    return at < w->rest.n ? w->rest.p[at] : '\0';
}

/* Returns the bytes of the long bracket that begins here ("[[…]]", "[==[…]==]"), or 0. */
static size_t long_bracket(const struct walk *w, size_t from)
{
    size_t level = 0, i = from + 1;
    if (peek(w, from) != '[') return 0;
    while (peek(w, i) == '=')
        i++, level++;
    if (peek(w, i) != '[') return 0;
    for (; i < w->rest.n; i++) {
        size_t n = 0;
        if (w->rest.p[i] != ']') continue;
        while (peek(w, i + 1 + n) == '=')
            n++;
        if (n == level && peek(w, i + 1 + n) == ']') return i + n + 2 - from;
    }
    return w->rest.n - from;
}

static size_t quoted(const struct walk *w)
{
    size_t i = 1;
    for (; i < w->rest.n && w->rest.p[i] != w->rest.p[0]; i++)
        if (w->rest.p[i] == '\\') i++;
    return i + 1;
}

static size_t comment(const struct walk *w)
{
    size_t i = long_bracket(w, 2);
    if (i > 0) return i + 2;
    while (i < w->rest.n && w->rest.p[i] != '\n')
        i++;
    return i;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t name(const struct walk *w)
{
    size_t i = 0;
    while (in_name(peek(w, i)))
        i++;
    return i;
}

static size_t token(const struct walk *w)
{
    char c = peek(w, 0);
    size_t n = long_bracket(w, 0);
    if (n > 0) return n;
    if (c == '"' || c == '\'') return quoted(w);
    if (in_name(c)) return name(w);
    return (c == '=' || c == '~' || c == '<' || c == '>') && peek(w, 1) == '=' ? 2 : 1;
}

/* Moves on to the next token. Returns false at the end. */
static bool next(struct walk *w)
{
    for (;;) {
        if (w->rest.n == 0) return false;
        if (peek(w, 0) == '-' && peek(w, 1) == '-')
            skip(w, comment(w));
        else if (isspace((unsigned char)peek(w, 0)))
            skip(w, 1);
        else
            break;
    }
    size_t n = token(w);
    if (n > w->rest.n) n = w->rest.n;
    w->token = (struct bytes){w->rest.p, n};
    w->token_line = w->line;
    skip(w, n);
    return true;
}

static bool is(const struct walk *w, const char *text)
{
    return bytes_equal(w->token, bytes_of(text));
}

/* True if the token is the key: as a name, or, `in_brackets`, as a string in quotes. */
static bool is_key(const struct walk *w, struct bytes key, bool in_brackets)
{
    struct bytes t = w->token;
    if (!in_brackets) return bytes_equal(t, key);
    if (t.n < 2 || (t.p[0] != '"' && t.p[0] != '\'')) return false;
    return bytes_equal((struct bytes){t.p + 1, t.n - 2}, key);
}

int source_keys_line(struct bytes text, struct bytes key)
{
    struct walk w = {.rest = text, .line = 1};
    int depth = 0, found = 0, line = 0;
    bool bracket = false, candidate = false; /* the token before was "[", or ended `key` */
    while (next(&w)) {
        if (candidate && bracket && is(&w, "]")) continue; /* behind it the "=" comes */
        if (candidate && is(&w, "=")) found++;
        if (found > 1) return 0;
        if (is(&w, "{")) depth++;
        if (is(&w, "}")) depth--;
        candidate = depth == 1 && is_key(&w, key, bracket);
        if (candidate && found == 0) line = w.token_line;
        if (!candidate) bracket = is(&w, "[");
    }
    return found == 1 ? line : 0;
}
