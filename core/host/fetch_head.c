#include "host/fetch_head.h"

#include "base/mem.h"
#include "wire/json.h"
#include "wire/json_write.h"

#include <stdlib.h>
#include <string.h>

/* What says where a request goes or how long it is. */
static const char *const OURS[] = {
    "connection", "content-length",    "expect", "host", "keep-alive", "te", "trailer",
    "upgrade",    "transfer-encoding", NULL};

static const char *const HARMLESS[] = {"accept", "accept-language", "content-type", "user-agent",
                                       NULL};

static bool is_one_of(struct bytes name, const char *const *names)
{
    for (; *names; names++)
        if (bytes_equal_nocase(name, bytes_of(*names))) return true;
    return false;
}

/* RFC 9110, 5.6.2 */
static bool is_token(struct bytes name)
{
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c <= ' ' || c >= 0x7F || !strchr("!#$%&'*+-.^_`|~", c))) return false;
    }
    return name.n > 0;
}

static bool is_one_line(struct bytes value)
{
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F) return false;
    }
    return true;
}

static int check_one(struct bytes name, const struct json *value, struct error *error)
{
    if (!is_token(name))
        return error_set(error, "ctx:fetch: '%.*s' is no name of a header", BYTES_ARG(name));
    if (is_one_of(name, OURS) ||
        bytes_equal_nocase((struct bytes){name.p, name.n < 6 ? name.n : 6}, BYTES("proxy-")))
        return error_set(error, "ctx:fetch: the header %.*s is not for a script to set",
                         BYTES_ARG(name));
    if (!json_is(value, JSON_STRING))
        return error_set(error, "ctx:fetch: the header %.*s must be a string", BYTES_ARG(name));
    if (!is_one_line(value->text))
        return error_set(error, "ctx:fetch: the header %.*s has a control character in it",
                         BYTES_ARG(name));
    return 0;
}

static const struct json *parse(struct arena *arena, struct bytes json)
{
    struct json_error fault;
    return json_parse(arena, json, &JSON_LIMITS, &fault);
}

int fetch_head_check(struct bytes json, size_t most, struct error *error)
{
    struct arena arena = {0};
    const struct json *headers = parse(&arena, json);
    int result = 0;
    if (json.n > most)
        result = error_set(error, "ctx:fetch: headers have at most %zu KiB", most / 1024);
    else if (!json_is(headers, JSON_OBJECT) && !(json_is(headers, JSON_ARRAY) && !headers->count))
        result = error_set(error, "ctx:fetch: headers must be a table of names and strings");
    for (const struct json *k = json_first(headers); k && result == 0; k = json_next(headers, k))
        result = check_one(k->text, json_value(k), error);
    arena_free(&arena);
    return result;
}

/* libcurl drops "Name:" and sends "Name;" as a header without a value. */
static struct curl_slist *add(struct curl_slist *list, struct bytes name, struct bytes value)
{
    struct buf line = {0};
    value = bytes_trim(value);
    buf_add(&line, name);
    buf_addz(&line, value.n ? ": " : ";");
    buf_add(&line, value);
    list = curl_slist_append(list, buf_text(&line));
    buf_free(&line);
    return list;
}

struct curl_slist *fetch_head_list(struct bytes json, bool foreign, bool has_body)
{
    struct arena arena = {0};
    const struct json *headers = parse(&arena, json);
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    bool agent = false, type = false;
    for (const struct json *k = json_first(headers); k; k = json_next(headers, k)) {
        bool is_type = bytes_equal_nocase(k->text, BYTES("content-type"));
        if (foreign && !is_one_of(k->text, HARMLESS)) continue;
        if (is_type && !has_body) continue;
        agent |= bytes_equal_nocase(k->text, BYTES("user-agent"));
        type |= is_type;
        list = add(list, k->text, json_value(k)->text);
    }
    if (!agent) list = curl_slist_append(list, "User-Agent: lunask/" LUNASK_VERSION);
    /* Not what libcurl takes a body for where nothing is said. */
    if (!type) list = curl_slist_append(list, "Content-Type:");
    arena_free(&arena);
    return list;
}

/* Cuts the next line that is a header. */
static bool next(struct bytes *lines, struct bytes *name, struct bytes *value)
{
    struct bytes line;
    while (bytes_split(lines, '\n', &line)) {
        if (line.n && line.p[line.n - 1] == '\r') line.n--;
        if (bytes_split(&line, ':', name) && line.p && name->n) {
            *value = bytes_trim(line);
            return true;
        }
    }
    return false;
}

static void write_name(struct bytes name, struct buf *out)
{
    char *lower = mem_copy(name);
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    json_write_string(out, bytes_of(lower));
    free(lower);
}

/* True if the header has stood in a line before this one. */
static bool is_repeated(struct bytes lines, struct bytes before, struct bytes name)
{
    struct bytes other, value;
    lines.n = (size_t)(before.p - lines.p);
    while (next(&lines, &other, &value))
        if (bytes_equal_nocase(other, name)) return true;
    return false;
}

static void write_values(struct bytes lines, struct bytes name, struct buf *out)
{
    struct buf all = {0};
    struct bytes other, value;
    bool first = true;
    while (next(&lines, &other, &value)) {
        if (!bytes_equal_nocase(other, name)) continue;
        if (!first) buf_addz(&all, ", ");
        first = false;
        buf_add(&all, value);
    }
    json_write_string(out, buf_bytes(&all));
    buf_free(&all);
}

void fetch_head_write(struct bytes lines, struct buf *out)
{
    struct bytes rest = lines, name, value;
    bool first = true;
    buf_addc(out, '{');
    while (next(&rest, &name, &value)) {
        if (memchr(name.p, '\0', name.n) || is_repeated(lines, name, name)) continue;
        if (!first) buf_addc(out, ',');
        first = false;
        write_name(name, out);
        buf_addc(out, ':');
        write_values(lines, name, out);
    }
    buf_addc(out, '}');
}
