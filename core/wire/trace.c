#include "wire/trace.h"

#include <stdio.h>
#include <string.h>

enum {
    ID_AT = 3,
    ID_BYTES = 32,
    SPAN_AT = ID_AT + ID_BYTES + 1,
    SPAN_BYTES = 16,
    FLAGS_AT = SPAN_AT + SPAN_BYTES + 1,
    PARENT_BYTES = FLAGS_AT + 2,
    STATE_MEMBERS = 32,
    STATE_PART_BYTES = 256,
    BAGGAGE_BYTES = 8192,
};

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_hex(struct bytes b)
{
    for (size_t i = 0; i < b.n; i++)
        if (!is_digit(b.p[i]) && !(b.p[i] >= 'a' && b.p[i] <= 'f')) return false;
    return true;
}

static bool is_zero(struct bytes b)
{
    for (size_t i = 0; i < b.n; i++)
        if (b.p[i] != '0') return false;
    return true;
}

/* Version 00 ends after its flags; later ones may have more behind another '-'. */
bool trace_is_parent(struct bytes v)
{
    if (v.n < PARENT_BYTES) return false;
    struct bytes version = {v.p, 2}, id = {v.p + ID_AT, ID_BYTES};
    struct bytes span = {v.p + SPAN_AT, SPAN_BYTES}, flags = {v.p + FLAGS_AT, 2};
    if (v.p[ID_AT - 1] != '-' || v.p[SPAN_AT - 1] != '-' || v.p[FLAGS_AT - 1] != '-') return false;
    if (!is_hex(version) || !is_hex(id) || !is_hex(span) || !is_hex(flags)) return false;
    if (bytes_equal(version, BYTES("ff")) || is_zero(id) || is_zero(span)) return false;
    if (v.n == PARENT_BYTES) return true;
    return !is_zero(version) && v.p[PARENT_BYTES] == '-';
}

/* "vendor=value" or "tenant@vendor=value" */
static bool is_state_member(struct bytes member)
{
    struct bytes rest = member, key;
    if (!memchr(member.p, '=', member.n) || !bytes_split(&rest, '=', &key)) return false;
    if (key.n == 0 || key.n > STATE_PART_BYTES || rest.n == 0 || rest.n > STATE_PART_BYTES)
        return false;
    if (!is_lower(key.p[0]) && !is_digit(key.p[0])) return false;
    for (size_t i = 0; i < key.n; i++)
        if (!is_lower(key.p[i]) && !is_digit(key.p[i]) && !is_one_of(key.p[i], "_-*/@"))
            return false;
    for (size_t i = 0; i < rest.n; i++)
        if (rest.p[i] < 0x20 || rest.p[i] > 0x7e || rest.p[i] == '=') return false;
    return true;
}

bool trace_is_state(struct bytes value)
{
    struct bytes rest = value, member;
    size_t n = 0;
    while (bytes_split(&rest, ',', &member)) {
        member = bytes_trim(member);
        if (member.n == 0) continue;
        if (++n > STATE_MEMBERS || !is_state_member(member)) return false;
    }
    return true;
}

static bool is_token(struct bytes b)
{
    for (size_t i = 0; i < b.n; i++)
        if (!is_lower(b.p[i]) && !is_digit(b.p[i]) && !(b.p[i] >= 'A' && b.p[i] <= 'Z') &&
            !is_one_of(b.p[i], "!#$%&'*+-.^_`|~"))
            return false;
    return b.n > 0;
}

static bool is_baggage_value(struct bytes b)
{
    for (size_t i = 0; i < b.n; i++)
        if (b.p[i] <= 0x20 || b.p[i] > 0x7e || is_one_of(b.p[i], "\",;\\")) return false;
    return true;
}

/* "key=value;property;key=value": a property may lack its value. */
static bool is_baggage_member(struct bytes member)
{
    struct bytes part, key;
    for (bool first = true; bytes_split(&member, ';', &part); first = false) {
        bool has_value = part.n && memchr(part.p, '=', part.n) != NULL;
        if (first && !has_value) return false;
        if (!bytes_split(&part, '=', &key) || !is_token(bytes_trim(key))) return false;
        if (has_value && !is_baggage_value(bytes_trim(part))) return false;
    }
    return true;
}

bool trace_is_baggage(struct bytes value)
{
    struct bytes rest = value, member;
    if (value.n == 0 || value.n > BAGGAGE_BYTES) return false;
    while (bytes_split(&rest, ',', &member))
        if (!is_baggage_member(bytes_trim(member))) return false;
    return true;
}

static unsigned fault(const struct json *value, bool (*is_good)(struct bytes), unsigned bit)
{
    if (!value) return 0;
    return json_is(value, JSON_STRING) && is_good(value->text) ? 0 : bit;
}

unsigned trace_read(const struct json *meta, char text[TRACE_TEXT_BYTES])
{
    const struct json *parent = json_get(meta, "traceparent");
    unsigned faults = fault(parent, trace_is_parent, TRACE_PARENT) |
                      fault(json_get(meta, "tracestate"), trace_is_state, TRACE_STATE) |
                      fault(json_get(meta, "baggage"), trace_is_baggage, TRACE_BAGGAGE);
    text[0] = '\0';
    if (parent && !(faults & TRACE_PARENT))
        snprintf(text, TRACE_TEXT_BYTES, " (trace %.*s span %.*s)", ID_BYTES,
                 parent->text.p + ID_AT, SPAN_BYTES, parent->text.p + SPAN_AT);
    return faults;
}
