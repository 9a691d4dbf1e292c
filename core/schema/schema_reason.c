#include "schema/schema_reason.h"

#include "wire/json_write.h"

#include <string.h>

/* In bytes. Where it is and what is wanted (QUOTE) is shown longer than what was there (VALUE),
 * which the reader has at hand. */
enum { LONGEST_QUOTE = 64, LONGEST_VALUE = 40, LONGEST_CHOICE = 400 };

/* Cuts `text` to `most` bytes without splitting a code point. */
static struct bytes cut(struct bytes text, size_t most)
{
    if (text.n <= most) return text;
    text.n = most;
    while (text.n && ((unsigned char)text.p[text.n] & 0xC0) == 0x80)
        text.n--;
    return text;
}

void schema_reason_quote(struct buf *out, struct bytes text)
{
    struct bytes shown = cut(text, LONGEST_QUOTE);
    json_write_string(out, shown);
    if (shown.n < text.n) {
        out->n--; /* the closing quote comes behind the ellipsis */
        buf_addz(out, "…\"");
    }
}

/* A key that can stand in a path as it is. Other scripts' letters can; their spaces can't. */
static bool is_plain(struct bytes key)
{
    if (key.n == 0 || key.n > LONGEST_QUOTE || (key.p[0] >= '0' && key.p[0] <= '9')) return false;
    for (size_t i = 0; i < key.n; i++) {
        char c = key.p[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        /* Lead bytes: behind 0xC2 are Latin-1's spaces and signs, behind 0xE2 punctuation. */
        bool letter = (unsigned char)c > 0xC2 && (unsigned char)c != 0xE2;
        if (!word && !letter && ((unsigned char)c & 0xC0) != 0x80 && c != '_' && c != '-')
            return false;
    }
    return true;
}

/* Writes the path of a place that is no name. Returns false if it wrote nothing yet. */
static bool add_path(struct buf *out, const char *root, const struct schema_place *at)
{
    if (!at) return false;
    /* The list goes up from the place, the path comes down: as deep as the value, 64 at most. */
    bool begun = add_path(out, root, at->up);
    if (at->key.p && is_plain(at->key)) {
        if (begun) buf_addc(out, '.');
        buf_add(out, at->key);
        return true;
    }
    if (!begun) buf_addz(out, root);
    buf_addc(out, '[');
    if (at->key.p)
        schema_reason_quote(out, at->key);
    else
        buf_add_int(out, at->index);
    buf_addc(out, ']');
    return true;
}

void schema_reason_path(struct buf *out, const char *root, const struct schema_place *at)
{
    bool is_name = at && at->is_name;
    if (!add_path(out, root, is_name ? at->up : at)) buf_addz(out, root);
    if (!is_name) return;
    buf_addz(out, ": the property name ");
    schema_reason_quote(out, at->key);
}

void schema_reason_types(struct buf *out, unsigned types)
{
    static const struct {
        unsigned type;
        const char *words;
    } WORDS[] = {
        {1u << JSON_STRING, "a string"},     {1u << JSON_NUMBER, "a number"},
        {SCHEMA_TYPE_INTEGER, "an integer"}, {1u << JSON_FALSE, "a boolean"},
        {1u << JSON_ARRAY, "an array"},      {1u << JSON_OBJECT, "an object"},
        {1u << JSON_NULL, "null"},
    };
    /* Every integer is a number, so naming both says nothing more. */
    if (types & 1u << JSON_NUMBER) types &= ~(unsigned)SCHEMA_TYPE_INTEGER;
    bool begun = false;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (!(types & WORDS[i].type)) continue;
        types &= ~WORDS[i].type;
        if (begun) buf_addz(out, types ? ", " : " or ");
        buf_addz(out, WORDS[i].words);
        begun = true;
    }
}

void schema_reason_type(struct buf *out, const struct json *v)
{
    schema_reason_types(out, schema_node_types(v));
}

static bool is_short(const struct json *v)
{
    return v->type != JSON_ARRAY && v->type != JSON_OBJECT && v->raw.n <= LONGEST_VALUE;
}

/* Strings are written afresh: `raw` may hold what is better escaped in a line for a person. */
static void add_scalar(struct buf *out, const struct json *v)
{
    if (v->type == JSON_STRING)
        json_write_string(out, v->text);
    else
        buf_add(out, v->raw);
}

void schema_reason_value(struct buf *out, const struct json *v)
{
    if (is_short(v))
        add_scalar(out, v);
    else
        schema_reason_type(out, v);
}

void schema_reason_not(struct buf *out, const struct json *v)
{
    if (!is_short(v)) return;
    buf_addz(out, ", not ");
    add_scalar(out, v);
}

void schema_reason_count(struct buf *out, uint64_t n, const char *noun)
{
    size_t length = strlen(noun);
    bool in_y = n != 1 && noun[length - 1] == 'y';
    buf_printf(out, "%llu %.*s%s", (unsigned long long)n, (int)(length - in_y), noun,
               n == 1 ? "" : (in_y ? "ies" : "s"));
}

void schema_reason_choice(struct buf *out, struct schema_choice *choice, const struct json *v)
{
    if (choice->shown == 0) choice->start = out->n;
    if (choice->hidden || out->n - choice->start > LONGEST_CHOICE) {
        choice->hidden++;
        return;
    }
    if (choice->shown++) buf_addz(out, ", ");
    if (v->type == JSON_STRING)
        schema_reason_quote(out, v->text);
    else if (v->raw.n <= LONGEST_QUOTE)
        json_write_value(out, v);
    else
        schema_reason_type(out, v);
}

void schema_reason_choice_end(struct buf *out, const struct schema_choice *choice)
{
    if (choice->hidden) buf_printf(out, ", and %u more", choice->hidden);
}
