#include "script/difference.h"

#include "wire/json.h"

struct teller {
    void (*tell)(void *arg, const char *line);
    void *arg;
    size_t lines;
    struct buf line;
    const struct offer *offer; /* being told of */
    struct buf path;           /* of the member being compared: "inputSchema.properties.topic" */
};

/* Sends the line that is ready. */
static void send(struct teller *t)
{
    if (t->lines++ < DIFFERENCE_LINES) t->tell(t->arg, buf_text(&t->line));
    buf_clear(&t->line);
}

/* Begins a line with what is told of: "tool book_meeting". */
static void name_offer(struct teller *t)
{
    buf_printf(&t->line, "%s %.*s", offer_kind_text(t->offer->kind), BYTES_ARG(t->offer->key));
}

static void tell_offer(struct teller *t, const struct offer *offer, const char *what)
{
    t->offer = offer;
    name_offer(t);
    buf_addc(&t->line, ' ');
    buf_addz(&t->line, what);
    send(t);
}

/* Cut between two characters, not inside one. */
static void add_value(struct buf *out, const struct json *v)
{
    struct bytes text = v->raw;
    if (text.n > DIFFERENCE_VALUE_BYTES) text.n = DIFFERENCE_VALUE_BYTES;
    while (text.n < v->raw.n && text.n && ((unsigned char)text.p[text.n] & 0xC0) == 0x80)
        text.n--;
    buf_add(out, text);
    if (text.n < v->raw.n) buf_addz(out, "…");
}

/* One of the two may be NULL: it is not there. */
static void tell_member(struct teller *t, const struct json *before, const struct json *after)
{
    name_offer(t);
    buf_addz(&t->line, ": ");
    buf_add(&t->line, buf_bytes(&t->path));
    if (!after) {
        buf_addz(&t->line, " removed");
    } else if (!before) {
        buf_addz(&t->line, " added: ");
        add_value(&t->line, after);
    } else {
        buf_addc(&t->line, ' ');
        add_value(&t->line, before);
        buf_addz(&t->line, " → ");
        add_value(&t->line, after);
    }
    send(t);
}

static void compare_members(struct teller *t, const struct json *before, const struct json *after);

static void compare(struct teller *t, struct bytes key, const struct json *before,
                    const struct json *after)
{
    size_t outside = t->path.n;
    if (outside) buf_addc(&t->path, '.');
    buf_add(&t->path, key);
    if (json_is(before, JSON_OBJECT) && json_is(after, JSON_OBJECT))
        compare_members(t, before, after);
    else if (!before || !after || !json_equal(before, after))
        tell_member(t, before, after);
    t->path.n = outside;
}

/* As deep as JSON may be. */
static void compare_members(struct teller *t, const struct json *before, const struct json *after)
{
    for (const struct json *k = json_first(before); k; k = json_next(before, k))
        compare(t, k->text, json_value(k), json_get_bytes(after, k->text));
    for (const struct json *k = json_first(after); k; k = json_next(after, k))
        if (!json_get_bytes(before, k->text)) compare(t, k->text, NULL, json_value(k));
}

static void compare_offers(struct teller *t, const struct offer *before, const struct offer *after)
{
    struct arena arena = {0};
    struct json_error fault;
    if (bytes_equal(before->json, after->json)) return;
    t->offer = after;
    compare_members(t, json_parse(&arena, before->json, &JSON_LIMITS, &fault),
                    json_parse(&arena, after->json, &JSON_LIMITS, &fault));
    arena_free(&arena);
}

/* Which of two sorted lists has the smaller name next: < 0 the first, > 0 the second, 0 both. */
static int next_of(const struct generation *before, size_t i, const struct generation *after,
                   size_t j, enum offer_kind kind)
{
    if (i == registry_count(before, kind)) return 1;
    if (j == registry_count(after, kind)) return -1;
    return bytes_compare(registry_at(before, kind, i)->key, registry_at(after, kind, j)->key);
}

static void compare_kind(struct teller *t, const struct generation *before,
                         const struct generation *after, enum offer_kind kind)
{
    size_t i = 0, j = 0;
    while (i < registry_count(before, kind) || j < registry_count(after, kind)) {
        int order = next_of(before, i, after, j, kind);
        if (order < 0)
            tell_offer(t, registry_at(before, kind, i++), "removed");
        else if (order > 0)
            tell_offer(t, registry_at(after, kind, j++), "added");
        else
            compare_offers(t, registry_at(before, kind, i++), registry_at(after, kind, j++));
    }
}

unsigned difference_tell(const struct generation *before, const struct generation *after,
                         void (*tell)(void *arg, const char *line), void *arg)
{
    struct teller t = {.tell = tell, .arg = arg};
    unsigned lists = 0;
    for (enum offer_kind kind = 0; kind < OFFER_KINDS; kind++) {
        size_t told = t.lines;
        compare_kind(&t, before, after, kind);
        if (t.lines > told) lists |= offer_kind_list(kind);
    }
    if (t.lines > DIFFERENCE_LINES) {
        buf_printf(&t.line, "and %zu more differences", t.lines - DIFFERENCE_LINES);
        tell(arg, buf_text(&t.line));
    }
    buf_free(&t.line);
    buf_free(&t.path);
    return lists;
}
