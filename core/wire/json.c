#include "wire/json.h"

#include "base/mem.h"
#include "wire/json_keys.h"
#include "wire/json_number.h"
#include "wire/json_string.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Cells on the C stack: enough for the messages we mostly see, so that these allocate once. */
enum { FEW_CELLS = 128 };

const struct json_limits JSON_LIMITS = {.depth = JSON_DEPTH_MAX, .cells = 100000};

/* Cells are gathered outside the arena and copied there once their number is known: growing them
 * inside would leave every outgrown copy behind. */
struct parser {
    struct arena *arena;
    const char *start;
    const char *at;
    const char *end;
    struct json *cells;
    struct json *few; /* where `cells` begins its life */
    unsigned n;
    unsigned cap;
    unsigned max;
    unsigned max_depth;
    unsigned depth;
    unsigned open[JSON_DEPTH_MAX]; /* cell numbers of the containers we are in */
    struct json_error *error;
};

/* What follows in the text. The parser is this state and the list of open containers: it does not
 * recurse, so no text can use up the C stack. */
enum next { NEXT_FAILED = -1, NEXT_NOTHING, NEXT_VALUE, NEXT_SEPARATOR };

/* The reasons are static phrases for whoever wrote the text: they go to the client with the
 * offset. */
static int fail_at(struct parser *p, const char *reason, const char *at)
{
    *p->error = (struct json_error){reason, (size_t)(at - p->start)};
    return -1;
}

static int fail(struct parser *p, const char *reason)
{
    return fail_at(p, reason, p->at);
}

static struct bytes rest(const struct parser *p)
{
    return (struct bytes){p->at, (size_t)(p->end - p->at)};
}

static void skip_space(struct parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
        p->at++;
}

/* Skips white space. Returns the byte behind it, still to be read, or -1 at the end. */
static int peek(struct parser *p)
{
    if (p->at < p->end && (unsigned char)*p->at > ' ') return (unsigned char)*p->at;
    skip_space(p);
    return p->at < p->end ? (unsigned char)*p->at : -1;
}

static bool grow(struct parser *p)
{
    if (p->cap >= p->max) {
        fail(p, "too many values");
        return false;
    }
    /* The first cells are on the stack of json_parse and can't be realloc'ed: they move once. */
    bool few = p->cells == p->few;
    p->cap = p->cap > p->max / 2 ? p->max : p->cap * 2;
    p->cells = mem_realloc(few ? NULL : p->cells, p->cap * sizeof *p->cells);
    if (few) memcpy(p->cells, p->few, p->n * sizeof *p->cells);
    return true;
}

/* Adds a cell for the value that begins here. Returns NULL, having failed, if there are too many.
 * The next call may move all cells: the parser keeps numbers of containers, not pointers. */
static struct json *add_cell(struct parser *p, enum json_type type)
{
    if (p->n == p->cap && !grow(p)) return NULL;
    struct json *v = &p->cells[p->n++];
    *v = (struct json){.type = (uint8_t)type, .span = 1, .raw = {p->at, 0}};
    return v;
}

/* Moves behind the first `size` bytes, which are the whole of `v`. */
static void take(struct parser *p, struct json *v, size_t size)
{
    v->raw.n = size;
    p->at += size;
}

static int read_word(struct parser *p, enum json_type type, struct bytes word)
{
    if (!bytes_starts(rest(p), word)) return fail(p, "expected a value");
    struct json *v = add_cell(p, type);
    if (!v) return -1;
    take(p, v, word.n);
    return 0;
}

static int read_number(struct parser *p)
{
    size_t size;
    struct json *v = add_cell(p, JSON_NUMBER);
    if (!v) return -1;
    if (json_number_scan(rest(p), &size, &v->integer, p->error) != 0)
        return fail_at(p, p->error->reason, p->at + p->error->at);
    take(p, v, size);
    v->text = v->raw;
    return 0;
}

/* Only strings with escapes need memory of their own; all others stay views into the text. What is
 * unescaped is never longer than it was. */
static int unescape(struct parser *p, struct json *v)
{
    char *out = arena_alloc(p->arena, v->text.n);
    if (json_string_decode(v->text, out, &v->text.n, p->error) != 0)
        return fail_at(p, p->error->reason, v->text.p + p->error->at);
    v->text.p = out;
    return 0;
}

/* Returns the cell, or NULL having failed. */
static struct json *read_string(struct parser *p)
{
    size_t size;
    bool escaped;
    struct json *v = add_cell(p, JSON_STRING);
    if (!v) return NULL;
    if (json_string_scan(rest(p), &size, &escaped, p->error) != 0) {
        fail_at(p, p->error->reason, p->at + p->error->at);
        return NULL;
    }
    take(p, v, size);
    v->text = (struct bytes){v->raw.p + 1, size - 2};
    return escaped && unescape(p, v) != 0 ? NULL : v;
}

/* Reads a key and its colon. */
static enum next read_key(struct parser *p)
{
    if (peek(p) != '"') return fail(p, "expected a key in quotes");
    struct json *key = read_string(p);
    if (!key) return NEXT_FAILED;
    /* A raw NUL is a control character and was refused in the scan: only \u0000 gets here. Lua and
     * libc would cut such a key, and it would pass for another. */
    bool escaped = key->text.p != key->raw.p + 1;
    if (escaped && memchr(key->text.p, '\0', key->text.n))
        return fail_at(p, "NUL in a key", key->raw.p);
    if (peek(p) != ':') return fail(p, "expected a colon after the key");
    p->at++;
    return NEXT_VALUE;
}

static char closing(const struct json *container)
{
    return container->type == JSON_OBJECT ? '}' : ']';
}

/* Ends the innermost container at its closing bracket. */
static enum next close_container(struct parser *p)
{
    unsigned number = p->open[--p->depth];
    struct json *v = &p->cells[number];
    p->at++;
    v->span = p->n - number;
    v->raw.n = (size_t)(p->at - v->raw.p);
    /* Here, when the whole object is on the tape, and not key by key: once over the keys is
     * enough. */
    if (v->type == JSON_OBJECT && v->count > 1) {
        const struct json *repeated = json_keys_repeated(v);
        if (repeated) return fail_at(p, "duplicate key", repeated->raw.p);
    }
    return NEXT_SEPARATOR;
}

static enum next open_container(struct parser *p, enum json_type type)
{
    if (p->depth == p->max_depth) return fail(p, "too deep");
    struct json *v = add_cell(p, type);
    if (!v) return NEXT_FAILED;
    p->open[p->depth++] = p->n - 1;
    p->at++;
    if (peek(p) == closing(v)) return close_container(p);
    return type == JSON_OBJECT ? read_key(p) : NEXT_VALUE;
}

/* Reads a scalar, or the opening of a container. */
static enum next read_value(struct parser *p)
{
    int failed;
    int c = peek(p);
    switch (c) {
    case '{':
        return open_container(p, JSON_OBJECT);
    case '[':
        return open_container(p, JSON_ARRAY);
    case '"':
        failed = read_string(p) == NULL;
        break;
    case 't':
        failed = read_word(p, JSON_TRUE, BYTES("true"));
        break;
    case 'f':
        failed = read_word(p, JSON_FALSE, BYTES("false"));
        break;
    case 'n':
        failed = read_word(p, JSON_NULL, BYTES("null"));
        break;
    case -1:
        return fail(p, "the text ends too early");
    default:
        if (c != '-' && (c < '0' || c > '9')) return fail(p, "expected a value");
        failed = read_number(p);
    }
    return failed ? NEXT_FAILED : NEXT_SEPARATOR;
}

static enum next fail_separator(struct parser *p, const struct json *container)
{
    if (p->at == p->end) return fail(p, "the text ends too early");
    return fail(p, container->type == JSON_OBJECT ? "expected a comma or '}'"
                                                  : "expected a comma or ']'");
}

/* Reads what stands behind a value. */
static enum next read_separator(struct parser *p)
{
    if (p->depth == 0) return NEXT_NOTHING;
    struct json *container = &p->cells[p->open[p->depth - 1]];
    container->count++;
    int c = peek(p);
    if (c == closing(container)) return close_container(p);
    if (c != ',') return fail_separator(p, container);
    p->at++;
    return container->type == JSON_OBJECT ? read_key(p) : NEXT_VALUE;
}

static int parse(struct parser *p)
{
    enum next next = NEXT_VALUE;
    if (bytes_starts(rest(p), BYTES("\xef\xbb\xbf"))) return fail(p, "byte order mark");
    while (next > NEXT_NOTHING)
        next = next == NEXT_VALUE ? read_value(p) : read_separator(p);
    if (next == NEXT_FAILED) return -1;
    return peek(p) == -1 ? 0 : fail(p, "text behind the value");
}

const struct json *json_parse(struct arena *arena, struct bytes text,
                              const struct json_limits *limits, struct json_error *error)
{
    assert(limits->depth <= JSON_DEPTH_MAX);
    if (!text.p) text.p = ""; /* an empty body */
    struct json few[FEW_CELLS];
    struct parser p = {.arena = arena,
                       .start = text.p,
                       .at = text.p,
                       .end = text.p + text.n,
                       .cells = few,
                       .few = few,
                       .cap = limits->cells < FEW_CELLS ? limits->cells : FEW_CELLS,
                       .max = limits->cells,
                       .max_depth = limits->depth,
                       .error = error};
    struct json *tape = NULL;
    if (text.n == 0) p.at = p.end = p.start = "";
    if (parse(&p) == 0) {
        tape = arena_alloc(arena, p.n * sizeof *tape);
        memcpy(tape, p.cells, p.n * sizeof *tape);
    }
    if (p.cells != few) free(p.cells);
    return tape;
}

const struct json *json_get(const struct json *object, const char *key)
{
    return json_get_bytes(object, bytes_of(key));
}

const struct json *json_get_bytes(const struct json *object, struct bytes key)
{
    if (!json_is(object, JSON_OBJECT)) return NULL;
    const struct json *at = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        if (at->text.n == key.n && bytes_equal(at->text, key)) return at + 1;
        at += 1 + at[1].span;
    }
    return NULL;
}

const struct json *json_first(const struct json *container)
{
    if (!json_is(container, JSON_ARRAY) && !json_is(container, JSON_OBJECT)) return NULL;
    return container->count > 0 ? container + 1 : NULL;
}

const struct json *json_next(const struct json *container, const struct json *at)
{
    if (!container || !at) return NULL;
    /* Behind the element, or behind the key; in an object its value is still to be passed. */
    const struct json *next = at + at->span;
    if (container->type == JSON_OBJECT) next += next->span;
    return next < container + container->span ? next : NULL;
}

const struct json *json_value(const struct json *key)
{
    return key ? key + 1 : NULL;
}

bool json_is(const struct json *v, enum json_type type)
{
    return v && v->type == type;
}

struct bytes json_string(const struct json *v)
{
    return json_is(v, JSON_STRING) ? v->text : (struct bytes){NULL, 0};
}

bool json_int(const struct json *v, int64_t *value_r)
{
    if (!json_is(v, JSON_NUMBER)) return false;
    struct json_number n = json_number_read(v->text);
    return json_number_int(&n, value_r);
}

bool json_double(const struct json *v, double *value_r)
{
    char few[64];
    if (!json_is(v, JSON_NUMBER)) return false;
    /* strtod wants a NUL, which the text lacks. */
    char *text = v->text.n < sizeof few ? few : mem_realloc(NULL, v->text.n + 1);
    memcpy(text, v->text.p, v->text.n);
    text[v->text.n] = '\0';
    *value_r = strtod(text, NULL);
    if (text != few) free(text);
    return true;
}

bool json_true(const struct json *v)
{
    return json_is(v, JSON_TRUE);
}

static bool numbers_equal(const struct json *a, const struct json *b)
{
    if (bytes_equal(a->text, b->text)) return true;
    struct json_number x = json_number_read(a->text);
    struct json_number y = json_number_read(b->text);
    return json_number_equal(&x, &y);
}

/* Recurses with json_equal: as deep as a tape can be, JSON_DEPTH_MAX. */
static bool elements_equal(const struct json *a, const struct json *b)
{
    const struct json *y = b + 1;
    if (a->count != b->count) return false;
    for (const struct json *x = json_first(a); x; x = json_next(a, x)) {
        if (!json_equal(x, y)) return false;
        y += y->span;
    }
    return true;
}

/* Sorted, keys of the same set meet at the same place. */
static bool members_equal(const struct json *a, const struct json *b)
{
    struct json_keys x;
    struct json_keys y;
    if (a->count != b->count) return false;
    json_keys_sort(&x, a);
    json_keys_sort(&y, b);
    bool equal = true;
    for (uint32_t i = 0; equal && i < x.count; i++)
        equal = bytes_equal(x.at[i]->text, y.at[i]->text) &&
                json_equal(json_value(x.at[i]), json_value(y.at[i]));
    json_keys_free(&x);
    json_keys_free(&y);
    return equal;
}

bool json_equal(const struct json *a, const struct json *b)
{
    if (!a || !b) return a == b;
    if (a->type != b->type) return false;
    switch (a->type) {
    case JSON_NUMBER:
        return numbers_equal(a, b);
    case JSON_STRING:
        return bytes_equal(a->text, b->text);
    case JSON_ARRAY:
        return elements_equal(a, b);
    case JSON_OBJECT:
        return members_equal(a, b);
    default:
        return true;
    }
}
