#include "wire/uri_template.h"

#include "base/arena.h"
#include "base/mem.h"
#include "wire/json_write.h"
#include "wire/utf8.h"

#include <stdlib.h>
#include <string.h>

enum part_kind { LITERAL, SIMPLE, RESERVED };

struct part {
    enum part_kind kind;
    struct bytes text; /* LITERAL: itself; else the variable's name */
};

enum { PARTS = 2 * URI_TEMPLATE_VARIABLES + 1 };

struct uri_template {
    struct arena arena;
    struct part parts[PARTS];
    size_t part_count;
    struct bytes names[URI_TEMPLATE_VARIABLES]; /* those of the query last */
    size_t name_count, query_from;              /* query_from: the first of the query */
    size_t literals;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool has_scheme(struct bytes text)
{
    size_t i = 0;
    if (text.n == 0 || !is_letter(text.p[0])) return false;
    while (i < text.n &&
           (is_letter(text.p[i]) || is_digit(text.p[i]) || (text.p[i] && strchr("+-.", text.p[i]))))
        i++;
    return i < text.n && text.p[i] == ':';
}

static int add_name(struct uri_template *t, struct bytes name, struct error *error)
{
    for (size_t i = 0; i < name.n; i++)
        if (!is_letter(name.p[i]) && !is_digit(name.p[i]) && name.p[i] != '_')
            return error_set(error,
                             "{%.*s} is not supported: use {name}, {+name}, or {?a,b} at the end",
                             BYTES_ARG(name));
    if (name.n == 0) return error_set(error, "a variable has no name");
    for (size_t i = 0; i < t->name_count; i++)
        if (bytes_equal(t->names[i], name))
            return error_set(error, "the variable %.*s comes twice", BYTES_ARG(name));
    if (t->name_count == URI_TEMPLATE_VARIABLES)
        return error_set(error, "a template has at most %d variables", URI_TEMPLATE_VARIABLES);
    t->names[t->name_count++] = name;
    return 0;
}

static int add_literal(struct uri_template *t, struct bytes text, struct error *error)
{
    if (text.n == 0) return 0;
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] <= 0x20 || text.p[i] == 0x7f || text.p[i] == '}')
            return error_set(error, "a space, control character or lone '}' is in it");
    t->parts[t->part_count++] = (struct part){LITERAL, text};
    t->literals += text.n;
    return 0;
}

/* `inside` is what stands between the braces, `rest` what comes after them. */
static int add_expression(struct uri_template *t, struct bytes inside, struct bytes rest,
                          struct error *error)
{
    struct bytes name, names = {inside.p + 1, inside.n - 1};
    if (inside.n == 0) return error_set(error, "a variable has no name");
    if (inside.p[0] == '?') {
        if (rest.n) return error_set(error, "{%.*s} must be at the end", BYTES_ARG(inside));
        while (bytes_split(&names, ',', &name))
            if (add_name(t, name, error) != 0) return -1;
        return 0;
    }
    bool reserved = inside.p[0] == '+';
    if (add_name(t, reserved ? names : inside, error) != 0) return -1;
    t->query_from = t->name_count;
    t->parts[t->part_count++] =
        (struct part){reserved ? RESERVED : SIMPLE, t->names[t->name_count - 1]};
    return 0;
}

static int compile(struct uri_template *t, struct bytes text, struct error *error)
{
    struct bytes rest = text;
    if (!has_scheme(text))
        return error_set(error, "it must begin with a scheme: \"docs://{page}\"");
    while (rest.n) {
        const char *open = memchr(rest.p, '{', rest.n);
        size_t before = open ? (size_t)(open - rest.p) : rest.n;
        if (add_literal(t, (struct bytes){rest.p, before}, error) != 0) return -1;
        if (!open) break;
        rest = (struct bytes){open + 1, rest.n - before - 1};
        const char *close = memchr(rest.p, '}', rest.n);
        if (!close) return error_set(error, "a '{' has no '}'");
        struct bytes inside = {rest.p, (size_t)(close - rest.p)};
        rest = (struct bytes){close + 1, rest.n - inside.n - 1};
        if (add_expression(t, inside, rest, error) != 0) return -1;
    }
    return 0;
}

struct uri_template *uri_template_new(struct bytes text, struct error *error)
{
    struct uri_template *t = mem_alloc(sizeof *t);
    if (compile(t, arena_copy(&t->arena, text), error) == 0) return t;
    uri_template_free(t);
    return NULL;
}

void uri_template_free(struct uri_template *t)
{
    if (!t) return;
    arena_free(&t->arena);
    free(t);
}

size_t uri_template_count(const struct uri_template *t)
{
    return t->name_count;
}

struct bytes uri_template_variable(const struct uri_template *t, size_t i)
{
    return t->names[i];
}

size_t uri_template_literals(const struct uri_template *t)
{
    return t->literals;
}

static bool may_hold(enum part_kind kind, char c)
{
    return kind == RESERVED || (c != '/' && c != '?' && c != '#');
}

static bool starts_at(struct bytes uri, size_t at, struct bytes literal)
{
    return uri.n - at >= literal.n && memcmp(uri.p + at, literal.p, literal.n) == 0;
}

/* Fills in a row of `fits` for each part, from the last one up: whether what is left of `path` from
 * a position on is what this part and those after it give. A row has path.n + 1 places. */
static void look_ahead(const struct uri_template *t, struct bytes path, bool *fits)
{
    size_t row = path.n + 1;
    fits[t->part_count * row + path.n] = true; /* the rest of that last row is false */
    for (size_t i = t->part_count; i-- > 0;) {
        const struct part *part = &t->parts[i];
        bool *here = fits + i * row;
        const bool *next = here + row;
        for (size_t at = path.n; at-- > 0;) {
            if (part->kind == LITERAL)
                here[at] = starts_at(path, at, part->text) && next[at + part->text.n];
            else
                here[at] = may_hold(part->kind, path.p[at]) && (next[at + 1] || here[at + 1]);
        }
    }
}

static int hex_digit(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool decode(struct bytes text, struct buf *out)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '%') {
            buf_addc(out, text.p[i]);
            continue;
        }
        int high = i + 2 < text.n ? hex_digit(text.p[i + 1]) : -1;
        int low = i + 2 < text.n ? hex_digit(text.p[i + 2]) : -1;
        if (high < 0 || low < 0) return false;
        buf_addc(out, (char)(high * 16 + low));
        i += 2;
    }
    return utf8_valid(buf_bytes(out));
}

static bool write_variable(struct bytes name, struct bytes value, struct buf *json)
{
    struct buf decoded = {0};
    bool valid = decode(value, &decoded);
    if (valid) {
        if (json->p[json->n - 1] != '{') buf_addc(json, ',');
        json_write_string(json, name);
        buf_addc(json, ':');
        json_write_string(json, buf_bytes(&decoded));
    }
    buf_free(&decoded);
    return valid;
}

/* The path is known to fit: each variable takes as much as leaves the rest one that fits. */
static bool write_path(const struct uri_template *t, struct bytes path, const bool *fits,
                       struct buf *json)
{
    size_t at = 0;
    for (size_t i = 0; i < t->part_count; i++) {
        const struct part *part = &t->parts[i];
        const bool *next = fits + (i + 1) * (path.n + 1);
        size_t end = at;
        if (part->kind == LITERAL) {
            at += part->text.n;
            continue;
        }
        for (size_t to = at + 1; to <= path.n && may_hold(part->kind, path.p[to - 1]); to++)
            if (next[to]) end = to;
        if (!write_variable(part->text, (struct bytes){path.p + at, end - at}, json)) return false;
        at = end;
    }
    return true;
}

static bool match_path(const struct uri_template *t, struct bytes path, struct buf *json)
{
    bool *fits = mem_alloc((t->part_count + 1) * (path.n + 1) * sizeof *fits);
    look_ahead(t, path, fits);
    bool result = fits[0] && write_path(t, path, fits, json);
    free(fits);
    return result;
}

/* Returns the place of the query's variable `name`, or name_count. */
static size_t find_parameter(const struct uri_template *t, struct bytes name)
{
    size_t i = t->query_from;
    while (i < t->name_count && !bytes_equal(t->names[i], name))
        i++;
    return i;
}

static bool match_query(const struct uri_template *t, struct bytes query, struct buf *json)
{
    bool seen[URI_TEMPLATE_VARIABLES] = {false};
    struct bytes value, name;
    while (query.n && bytes_split(&query, '&', &value)) {
        if (!memchr(value.p, '=', value.n) || !bytes_split(&value, '=', &name)) return false;
        size_t i = find_parameter(t, name);
        if (i == t->name_count || seen[i] || !write_variable(name, value, json)) return false;
        seen[i] = true;
    }
    return true;
}

bool uri_template_match(const struct uri_template *t, struct bytes uri, struct buf *json)
{
    size_t before = json->n;
    struct bytes path = uri, query = {NULL, 0};
    if (uri.n > URI_TEMPLATE_URI_BYTES) return false;
    const char *mark = t->query_from < t->name_count && uri.n ? memchr(uri.p, '?', uri.n) : NULL;
    if (mark) {
        path.n = (size_t)(mark - uri.p);
        query = (struct bytes){mark + 1, uri.n - path.n - 1};
    }
    buf_addc(json, '{');
    bool result = match_path(t, path, json) && match_query(t, query, json);
    buf_addc(json, '}');
    if (!result) json->n = before;
    return result;
}
