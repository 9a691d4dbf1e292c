#include "schema/schema_node.h"

#include "schema/schema_number.h"

#include <string.h>

/* LONGEST_TOKEN keeps a token on the C stack; no key that anyone refers to is as long. */
enum { MOST_HOPS = 8, LONGEST_TOKEN = 512 };

unsigned schema_node_types(const struct json *v)
{
    if (v->type == JSON_TRUE) return 1u << JSON_FALSE;
    if (v->type == JSON_NUMBER && schema_number_integral(v))
        return 1u << JSON_NUMBER | SCHEMA_TYPE_INTEGER;
    return 1u << v->type;
}

const struct schema_node *schema_node_target(const struct schema_node *n)
{
    /* A chain of references may be a circle. */
    for (int hops = 0; n->ref && n->count == 1 && hops < MOST_HOPS; hops++)
        n = n->ref;
    return n;
}

static void add_token(struct buf *out, struct bytes token)
{
    buf_addc(out, '/');
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] == '~')
            buf_addz(out, "~0");
        else if (token.p[i] == '/')
            buf_addz(out, "~1");
        else
            buf_addc(out, token.p[i]);
    }
}

/* Found from the top by spans, so that nodes need not carry a path that only errors use. */
void schema_node_pointer(const struct json *root, const struct json *cell, struct buf *out)
{
    const struct json *at = root;
    while (at && at != cell) {
        const struct json *inside = NULL;
        uint32_t index = 0;
        for (const struct json *e = json_first(at); e && !inside; e = json_next(at, e), index++) {
            const struct json *value = json_is(at, JSON_OBJECT) ? json_value(e) : e;
            /* A cell is inside the one value whose span it falls into. */
            if (cell < e || cell >= value + value->span) continue;
            inside = value;
            if (value != e)
                add_token(out, e->text);
            else
                buf_printf(out, "/%u", (unsigned)index);
        }
        at = inside;
    }
}

static int hex(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Undoes percent-encoding in place of `out` and returns the length; -1 if malformed. */
static int percent_decode(struct bytes in, char out[LONGEST_TOKEN])
{
    size_t n = 0;
    if (in.n > LONGEST_TOKEN) return -1;
    for (size_t i = 0; i < in.n; i++) {
        char c = in.p[i];
        if (c == '%') {
            if (i + 2 >= in.n || hex(in.p[i + 1]) < 0 || hex(in.p[i + 2]) < 0) return -1;
            c = (char)(hex(in.p[i + 1]) * 16 + hex(in.p[i + 2]));
            i += 2;
        }
        out[n++] = c;
    }
    return (int)n;
}

/* Undoes "~1" and "~0" in place. Returns the length, or -1 for a "~" before anything else. */
static int unescape(char *token, int n)
{
    int to = 0;
    for (int i = 0; i < n; i++) {
        char c = token[i];
        if (c == '~') {
            if (++i == n || (token[i] != '0' && token[i] != '1')) return -1;
            c = token[i] == '0' ? '~' : '/';
        }
        token[to++] = c;
    }
    return to;
}

/* Returns the element at an index as JSON Pointer writes it: no sign, no leading zero. */
static const struct json *element(const struct json *array, struct bytes token)
{
    uint32_t index = 0;
    if (token.n == 0 || token.n > 6 || (token.n > 1 && token.p[0] == '0')) return NULL;
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] < '0' || token.p[i] > '9') return NULL;
        index = index * 10 + (uint32_t)(token.p[i] - '0');
    }
    const struct json *e = json_first(array);
    while (e && index--)
        e = json_next(array, e);
    return e;
}

const struct json *schema_node_find(const struct json *root, struct bytes pointer)
{
    if (pointer.n == 0) return root;
    if (pointer.p[0] != '/') return NULL;
    struct bytes rest = {pointer.p + 1, pointer.n - 1}, part;
    const struct json *at = root;
    while (at && bytes_split(&rest, '/', &part)) {
        char token[LONGEST_TOKEN];
        /* In this order: "%7E1" is "~1" and so a slash. */
        int n = percent_decode(part, token);
        if (n >= 0) n = unescape(token, n);
        if (n < 0) return NULL;
        struct bytes name = {token, (size_t)n};
        at = json_is(at, JSON_ARRAY) ? element(at, name) : json_get_bytes(at, name);
    }
    return at;
}
