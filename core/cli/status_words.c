#include "cli/status_words.h"

#include "wire/json.h"

#include <inttypes.h>
#include <time.h>

/* Control characters would drive a terminal. */
static void add_visible(struct buf *out, struct bytes text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        buf_addc(out, c < 0x20 || c == 0x7f ? ' ' : text.p[i]);
    }
}

static int64_t number(const struct json *object, const char *key)
{
    int64_t value = 0;
    json_int(json_get(object, key), &value);
    return value;
}

/* "2026-12-01 09:30:00 UTC" */
static void add_time(struct buf *out, int64_t at_s)
{
    char text[32] = "";
    time_t at = (time_t)at_s;
    struct tm parts;
    if (gmtime_r(&at, &parts)) strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
    buf_addz(out, text);
}

/* " (3 min ago)": in the largest unit of which there are two or more. */
static void add_age(struct buf *out, int64_t seconds)
{
    static const struct {
        int64_t seconds;
        const char *name;
    } UNITS[] = {{24 * 3600, "days"}, {3600, "hours"}, {60, "min"}};
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (seconds < 2 * UNITS[i].seconds) continue;
        buf_printf(out, " (%" PRId64 " %s ago)", seconds / UNITS[i].seconds, UNITS[i].name);
        return;
    }
    buf_printf(out, " (%" PRId64 " s ago)", seconds > 0 ? seconds : 0);
}

static void add_count(struct buf *out, int64_t n, const char *what)
{
    buf_printf(out, "%" PRId64 " %s%s", n, what, n == 1 ? "" : "s");
}

static void add_excerpt(struct buf *out, const struct json *line)
{
    if (!json_is(line, JSON_STRING)) return;
    buf_addz(out, "    ");
    add_visible(out, line->text);
    buf_addc(out, '\n');
}

/* What must not be overlooked stands above all else. */
static void add_load_error(struct buf *out, const struct json *load_error, int64_t now_s)
{
    buf_addz(out, "THE SCRIPTS DO NOT LOAD: what was loaded before goes on\n\n    ");
    add_visible(out, json_string(json_get(load_error, "text")));
    buf_addc(out, '\n');
    add_excerpt(out, json_get(load_error, "source"));
    add_excerpt(out, json_get(load_error, "caret"));
    buf_addz(out, "\n    tried ");
    add_time(out, number(load_error, "at"));
    add_age(out, now_s - number(load_error, "at"));
    buf_addz(out, "; lunask check lists all mistakes\n\n");
}

/* "scripts    2 scripts of scripts/: 3 tools, 1 prompt; load 4, of …" */
static void add_scripts(struct buf *out, const struct json *root, int64_t now_s)
{
    static const char *const KINDS[][2] = {{"prompts", "prompt"},
                                           {"resources", "resource"},
                                           {"resource_templates", "resource template"}};
    buf_addz(out, "loaded    ");
    add_count(out, number(root, "scripts"), "script");
    buf_addz(out, " of ");
    add_visible(out, json_string(json_get(root, "folder")));
    buf_addz(out, " with ");
    add_count(out, number(root, "tools"), "tool");
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (number(root, KINDS[i][0]) == 0) continue;
        buf_addz(out, ", ");
        add_count(out, number(root, KINDS[i][0]), KINDS[i][1]);
    }
    buf_addz(out, "\n          generation ");
    buf_add_int(out, number(root, "generation"));
    buf_addz(out, ", of ");
    add_time(out, number(root, "loaded"));
    add_age(out, now_s - number(root, "loaded"));
    buf_addc(out, '\n');
}

static void add_now(struct buf *out, const struct json *now)
{
    int64_t parked = number(now, "calls_parked");
    buf_addz(out, "now       ");
    add_count(out, number(now, "calls_open"), "call");
    buf_printf(out, " open, %" PRId64 " of them waiting for a person; ", parked);
    add_count(out, number(now, "sessions"), "session");
    buf_addz(out, ", ");
    add_count(out, number(now, "streams"), "stream");
    buf_addz(out, json_true(json_get(now, "stopping")) ? "; stopping\n" : "\n");
}

/* Only what has happened; the names are those of the metrics. */
static void add_counters(struct buf *out, const struct json *counters)
{
    bool any = false;
    for (const struct json *k = json_first(counters); k; k = json_next(counters, k)) {
        int64_t n;
        if (!json_int(json_value(k), &n) || n == 0) continue;
        buf_addz(out, any ? ", " : "counted   ");
        add_visible(out, k->text);
        buf_printf(out, " %" PRId64, n);
        any = true;
    }
    buf_addz(out, any ? "\n" : "counted   nothing yet\n");
}

static int write_root(struct buf *out, const struct json *root, const char *address, int64_t now_s)
{
    const struct json *load_error = json_get(root, "load_error");
    bool broken = json_is(load_error, JSON_OBJECT);
    if (broken) add_load_error(out, load_error, now_s);
    buf_addz(out, "up        ");
    add_visible(out, json_string(json_get(root, "name")));
    buf_addz(out, " at ");
    buf_addz(out, address);
    buf_addz(out, "\n          lunask ");
    add_visible(out, json_string(json_get(root, "version")));
    buf_printf(out, ", process %" PRId64 ", since ", number(root, "pid"));
    add_time(out, number(root, "started"));
    add_age(out, now_s - number(root, "started"));
    buf_addc(out, '\n');
    add_scripts(out, root, now_s);
    add_now(out, json_get(root, "now"));
    add_counters(out, json_get(root, "counters"));
    return broken ? 1 : 0;
}

int status_words_write(struct bytes json, const char *address, int64_t now_s, struct buf *out,
                       struct error *error)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *root = json_parse(&arena, json, &JSON_LIMITS, &fault);
    int result;
    if (json_get(root, "generation") && json_get(root, "load_error"))
        result = write_root(out, root, address, now_s);
    else
        result =
            error_set(error, "what answers at %s is no lunask, or one of another version", address);
    arena_free(&arena);
    return result;
}
