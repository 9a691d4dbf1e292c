#include "host/config.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "host/listen.h"
#include "script/finding.h"
#include "script/grants_read.h"
#include "script/host_table.h"
#include "script/source_keys.h"
#include "script/vm.h"
#include "wire/json.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the value in the file may be, and so the type of the member: TEXT char *, COUNT int64_t,
 * FLAG bool, TEXTS char ** (NULL-terminated); the others have members of their own. */
enum kind { TEXT, COUNT, FLAG, TEXTS, LISTEN, ORIGINS, KEYS, GRANTS, ADDRESS };

struct setting {
    const char *key;
    enum kind kind;
    size_t at;            /* in struct settings */
    int64_t least, value; /* COUNT: the smallest allowed, the default */
};

/* Of every COUNT: none is lost in a narrower type, and seconds can become milliseconds. */
enum { COUNT_MOST = INT32_MAX };

#define AT(member) offsetof(struct settings, member)

/* The keys of the file, in the order of their names. */
static const struct setting SETTINGS[] = {
    {"allow_remote_status", FLAG, AT(allow_remote_status), 0, 0},     /* show /status to others */
    {"allow_unauthenticated", FLAG, AT(allow_unauthenticated), 0, 0}, /* serve beyond loopback */
    {"allowed_hosts", TEXTS, AT(allowed_hosts), 0, 0},            /* Host names beside loopback's */
    {"allowed_origins", ORIGINS, AT(allowed_origins), 0, 0},      /* browsers that may call */
    {"answer_timeout", COUNT, AT(answer_timeout), 1, 600},        /* s a person may think */
    {"body_limit", COUNT, AT(body_limit), 1024, 4 * 1024 * 1024}, /* bytes of a request body */
    {"call_timeout", COUNT, AT(call_timeout), 1, 30},    /* s of the host's own time a call */
    {"calls", COUNT, AT(calls), 1, 1024},                /* handlers running at once */
    {"connections", COUNT, AT(connections), 1, 4096},    /* open at once */
    {"grants", GRANTS, 0, 0, 0},                         /* what scripts may reach */
    {"instructions", TEXT, AT(instructions), 0, 0},      /* told to clients */
    {"list_ttl", COUNT, AT(list_ttl), 0, 0},             /* ms a client may keep a list */
    {"listen", LISTEN, 0, 0, 0},                         /* "HOST:PORT" */
    {"name", TEXT, AT(name), 0, 0},                      /* of the server */
    {"page_size", COUNT, AT(page_size), 1, 250},         /* entries of a page of a list */
    {"parked_calls", COUNT, AT(parked_calls), 1, 10000}, /* waiting for an answer (legacy) */
    {"public_url", ADDRESS, AT(public_url), 0, 0},       /* of this host, for browsers */
    {"replay_limit", COUNT, AT(replay_limit), 1 << 16, 1 << 20}, /* bytes */
    {"resource_ttl", COUNT, AT(resource_ttl), 0, 0},    /* ms a client may keep a resource */
    {"rounds", COUNT, AT(rounds), 1, 8},                /* questions a call */
    {"session_idle", COUNT, AT(session_idle), 1, 1800}, /* s */
    {"sessions", COUNT, AT(sessions), 1, 10000},        /* legacy; modern streams beside them */
    {"state_keys", KEYS, AT(keys), 0, 0},               /* base64url, the first one seals */
    {"state_ttl", COUNT, AT(state_ttl), 1, 600},        /* s a requestState opens */
    {"task_ttl", COUNT, AT(task_ttl), 1, 3600},         /* s a task is kept */
    {"store", TEXT, AT(store), 0, 0},                   /* memory: or a path */
    {"version", TEXT, AT(version), 0, 0},               /* of the server */
    {"vm_cpu", COUNT, AT(vm_cpu), 1, 1000},             /* ms of CPU between two questions */
    {"vm_memory", COUNT, AT(vm_memory), 1024 * 1024, 64 * 1024 * 1024}, /* bytes a script */
};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0] };

static void *member(struct settings *s, const struct setting *setting)
{
    return (char *)s + setting->at;
}

static void set_text(char **to, struct bytes text)
{
    free(*to);
    *to = mem_copy(text);
}

static void set_origins(struct settings *s, const char *comma_separated)
{
    origin_list_free(s->allowed_origins);
    s->allowed_origins = origin_list_new(comma_separated);
}

/* Nothing in a Lua table tells an empty list from an empty table of names. */
static int check_list(const struct json *v)
{
    if (json_is(v, JSON_OBJECT) && v->count == 0) return 0;
    if (!json_is(v, JSON_ARRAY)) return -1;
    for (const struct json *e = json_first(v); e; e = json_next(v, e))
        if (e->type != JSON_STRING) return -1;
    return 0;
}

/* Joins a list of strings with commas. */
static void join(const struct json *list, struct buf *out)
{
    for (const struct json *e = json_first(list); e; e = json_next(list, e)) {
        if (out->n) buf_addc(out, ',');
        buf_add(out, e->text);
    }
}

static int set_count(int64_t *to, const struct setting *setting, const struct json *v,
                     struct error *error)
{
    int64_t value;
    if (!json_int(v, &value) || value < setting->least || value > COUNT_MOST)
        return error_set(error, "%s must be a whole number from %lld to %lld", setting->key,
                         (long long)setting->least, (long long)COUNT_MOST);
    *to = value;
    return 0;
}

static void set_texts(char ***to, const struct json *v)
{
    char **list = mem_alloc((v->count + 1) * sizeof *list);
    size_t n = 0;
    for (const struct json *e = json_first(v); e; e = json_next(v, e))
        list[n++] = mem_copy(e->text);
    *to = list;
}

/* An empty list is no list at all, not the default one: every browser is refused. */
static void set_origin_list(struct settings *s, const struct json *v)
{
    struct buf joined = {0};
    join(v, &joined);
    set_origins(s, joined.n ? buf_text(&joined) : ",");
    buf_free(&joined);
}

static int set_keys(struct settings *s, const struct json *v, struct error *error)
{
    struct buf joined = {0};
    struct error reason;
    join(v, &joined);
    int result = keys_read(buf_bytes(&joined), &s->keys, &reason);
    if (result != 0) error_set(error, "state_keys: %s", reason.text);
    buf_free(&joined);
    return result;
}

static int set_list(struct settings *s, const struct setting *setting, const struct json *v,
                    struct error *error)
{
    if (check_list(v) != 0) return error_set(error, "%s must be a list of strings", setting->key);
    if (setting->kind == KEYS) return set_keys(s, v, error);
    if (setting->kind == ORIGINS)
        set_origin_list(s, v);
    else
        set_texts(member(s, setting), v);
    return 0;
}

/* A proxy may have put the host below a path. */
static int set_address(char **to, const char *key, const struct json *v, struct error *error)
{
    struct bytes url = json_string(v);
    struct buf origin = {0};
    bool plain = url.n && !memchr(url.p, '?', url.n) && !memchr(url.p, '#', url.n) &&
                 !memchr(url.p, '@', url.n) && origin_reduce(url, &origin) == 0;
    buf_free(&origin);
    if (!plain)
        return error_set(error, "%s must be a URL, such as \"https://mcp.example.com\"", key);
    while (url.p[url.n - 1] == '/')
        url.n--;
    set_text(to, url);
    return 0;
}

static int set_one(struct settings *s, const struct setting *setting, const struct json *v,
                   struct error *error)
{
    switch (setting->kind) {
    case TEXT:
        if (!json_is(v, JSON_STRING)) return error_set(error, "%s must be a string", setting->key);
        set_text(member(s, setting), v->text);
        return 0;
    case COUNT:
        return set_count(member(s, setting), setting, v, error);
    case FLAG:
        if (!json_is(v, JSON_TRUE) && !json_is(v, JSON_FALSE))
            return error_set(error, "%s must be true or false", setting->key);
        *(bool *)member(s, setting) = json_true(v);
        return 0;
    case LISTEN:
        if (json_is(v, JSON_STRING))
            return listen_read(v->text, &s->listen_host, &s->listen_port, error);
        return error_set(error, "listen must be a string, \"HOST:PORT\"");
    case ADDRESS:
        return set_address(member(s, setting), setting->key, v, error);
    case GRANTS:
        s->grants = grants_read_table(v, s->scripts, error);
        return s->grants ? 0 : -1;
    case TEXTS:
    case ORIGINS:
    case KEYS:
        return set_list(s, setting, v, error);
    }
    return -1;
}

static int unknown(struct bytes key, struct error *error)
{
    const char *names[SETTING_COUNT + 1] = {NULL};
    char *name = mem_copy(key);
    for (size_t i = 0; i < SETTING_COUNT; i++)
        names[i] = SETTINGS[i].key;
    const char *near = nearest_name(name, names);
    if (near)
        error_set(error, "unknown key '%s' (did you mean '%s'?)", name, near);
    else
        error_set(error, "unknown key '%s' (the README lists the known ones)", name);
    free(name);
    return -1;
}

static int set_key(struct settings *s, const struct json *key, struct error *error)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (bytes_equal(key->text, bytes_of(SETTINGS[i].key)))
            return set_one(s, &SETTINGS[i], json_value(key), error);
    return unknown(key->text, error);
}

/* One reading of the settings. */
struct reading {
    struct settings *s;
    const struct findings *findings; /* NULL: nobody asks for more than the first mistake */
    struct error *error;             /* the first mistake */
    int mistakes;
};

/* Notes a mistake. Returns true if the reading goes on behind it. */
static bool note(struct reading *r, const struct finding *f)
{
    struct buf text = {0};
    finding_write(f, false, &text);
    if (r->mistakes++ == 0) error_set(r->error, "%s", buf_text(&text));
    buf_free(&text);
    if (r->findings) r->findings->add(r->findings->arg, f);
    return r->findings != NULL;
}

/* Notes what is wrong with a key of the file, on its line if the text tells which. */
static bool note_key(struct reading *r, const struct json *key, const struct error *reason)
{
    struct buf source = {0};
    struct finding f = {.file = bytes_of(r->s->config), .text = bytes_of(reason->text)};
    if (vm_read_file(r->s->config, &source, NULL) == 0)
        f.line = source_keys_line(buf_bytes(&source), key->text);
    bool goes_on = note(r, &f);
    buf_free(&source);
    return goes_on;
}

static void read_table(struct reading *r, struct bytes text)
{
    struct arena arena = {0};
    struct json_error fault;
    struct error reason;
    const struct json *root = json_parse(&arena, text, &JSON_LIMITS, &fault);
    if (!json_is(root, JSON_OBJECT)) {
        struct finding f = {.file = bytes_of(r->s->config),
                            .text = BYTES("must return a table of settings")};
        note(r, &f);
    }
    for (const struct json *k = json_first(root); k; k = json_next(root, k))
        if (set_key(r->s, k, &reason) != 0 && !note_key(r, k, &reason)) break;
    arena_free(&arena);
}

static void read_file(struct reading *r)
{
    struct buf json = {0};
    struct error error;
    if (host_table_read(r->s->config, &json, &error) == 0) {
        read_table(r, buf_bytes(&json));
    } else {
        struct finding f = finding_read(bytes_of(error.text));
        note(r, &f);
    }
    buf_free(&json);
}

static void set_defaults(struct settings *s)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (SETTINGS[i].kind == COUNT) *(int64_t *)member(s, &SETTINGS[i]) = SETTINGS[i].value;
    set_text(&s->name, BYTES("lunask"));
    set_text(&s->version, BYTES(LUNASK_VERSION));
    set_text(&s->listen_host, BYTES("127.0.0.1"));
    s->listen_port = 3000;
    set_origins(s, NULL);
}

/* Blank counts as not set: that is how compose files and units leave a variable out. */
static bool is_set(const char *value)
{
    return value && bytes_trim(bytes_of(value)).n;
}

/* Found before a person has been sent somewhere to come back from. */
static int check_callbacks(const struct settings *s, struct error *error)
{
    for (size_t i = 0; !s->public_url && i < grants_count(s->grants); i++) {
        const struct grant *grant = grants_at(s->grants, i);
        if (grant->kind == GRANT_CALLBACK)
            return error_set(error,
                             "grants.%.*s.callback: browsers have no address of this host; add: "
                             "public_url = \"https://the.name.they.know.it.by\"",
                             BYTES_ARG(grant->script));
    }
    return 0;
}

static int read_flags(struct settings *s, const struct config_flags *flags, struct error *error)
{
    const char *origins = flags->allowed_origins;
    if (!is_set(origins)) origins = getenv("MCP_ALLOWED_ORIGINS");
    if (is_set(origins)) set_origins(s, origins);
    if (flags->store) set_text(&s->store, bytes_of(flags->store));
    if (flags->listen &&
        listen_read(bytes_of(flags->listen), &s->listen_host, &s->listen_port, error) != 0)
        return -1;
    /* Last, when all sources have spoken (2026-07-28 transports/streamable-http, "Security &
     * Endpoint": bind to localhost, or authenticate). */
    if (!flags->piped && !s->allow_unauthenticated && !listen_is_loopback(s->listen_host))
        return error_set(error,
                         "refusing to listen on %s: anyone who reaches it could call the tools; "
                         "set allow_unauthenticated = true in the config if that is meant",
                         s->listen_host);
    return check_callbacks(s, error);
}

static void set_path(struct settings *s, const struct config_flags *flags)
{
    struct buf path = {0};
    if (flags->config)
        buf_addz(&path, flags->config);
    else
        buf_printf(&path, "%s/host.lua", s->scripts);
    set_text(&s->config, buf_bytes(&path));
    buf_free(&path);
}

int config_read_all(const struct config_flags *flags, struct settings *s,
                    const struct findings *findings, struct error *error)
{
    struct stat there;
    struct error reason;
    struct reading r = {s, findings, error, 0};
    set_defaults(s); /* each source then overrides the one before */
    set_text(&s->scripts, bytes_of(flags->scripts ? flags->scripts : "scripts"));
    set_path(s, flags);
    /* A file that was named must be there; host.lua need not. lstat: a link that leads nowhere is a
     * mistake to tell, not a file that isn't there. */
    if (flags->config || lstat(s->config, &there) == 0) read_file(&r);
    if ((r.mistakes == 0 || findings) && read_flags(s, flags, &reason) != 0) {
        struct finding f = {.text = bytes_of(reason.text)};
        note(&r, &f);
    }
    return r.mistakes == 0 ? 0 : -1;
}

int config_read(const struct config_flags *flags, struct settings *s, struct error *error)
{
    return config_read_all(flags, s, NULL, error);
}

void config_free(struct settings *s)
{
    free(s->name);
    free(s->version);
    free(s->instructions);
    free(s->scripts);
    free(s->config);
    free(s->listen_host);
    free(s->store);
    free(s->public_url);
    origin_list_free(s->allowed_origins);
    for (char **host = s->allowed_hosts; host && *host; host++)
        free(*host);
    free(s->allowed_hosts);
    keys_free(&s->keys);
    grants_free(s->grants);
    *s = (struct settings){0};
}
