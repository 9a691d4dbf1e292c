#include "script/grants_read.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "script/grants_http.h"
#include "store/store.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where reading has come to. */
struct reader {
    struct grants *grants;
    const char *folder;  /* the scripts folder */
    struct bytes script; /* whose grants are read */
    struct error *error;
};

/* Reads one value of a list. Returns -1 with the reason, without the place. */
typedef int read_one(struct reader *r, const struct json *value, struct error *reason);

/* An empty table of Lua comes as an object. */
static bool is_empty(const struct json *v)
{
    return json_is(v, JSON_OBJECT) && v->count == 0;
}

static int fail(const struct reader *r, const char *kind, const struct error *reason)
{
    return error_set(r->error, "grants.%.*s.%s: %s", BYTES_ARG(r->script), kind, reason->text);
}

static int read_list(struct reader *r, const char *kind, const struct json *list, read_one *one)
{
    struct error reason;
    if (is_empty(list)) return 0;
    if (!json_is(list, JSON_ARRAY)) {
        error_set(&reason, "must be a list of strings");
        return fail(r, kind, &reason);
    }
    for (const struct json *e = json_first(list); e; e = json_next(list, e)) {
        int result = json_is(e, JSON_STRING) ? one(r, e, &reason)
                                             : error_set(&reason, "must be a list of strings");
        if (result != 0) return fail(r, kind, &reason);
    }
    return 0;
}

static int read_variable(struct reader *r, const struct json *value, struct error *reason)
{
    struct bytes name = value->text;
    bool valid = name.n > 0 && !isdigit((unsigned char)name.p[0]);
    for (size_t i = 0; i < name.n; i++)
        if (!isalnum((unsigned char)name.p[i]) && name.p[i] != '_') valid = false;
    if (!valid)
        return error_set(reason, "'%.*s' is no name of an environment variable", BYTES_ARG(name));
    grants_add(r->grants, &(struct grant){.kind = GRANT_ENV, .script = r->script, .name = name});
    return 0;
}

static int read_server(struct reader *r, const struct json *value, struct error *reason)
{
    struct buf site = {0};
    int result = grants_http_read(value->text, &site, reason);
    struct grant grant = {.kind = GRANT_HTTP, .script = r->script, .name = buf_bytes(&site)};
    if (result == 0) grants_add(r->grants, &grant);
    buf_free(&site);
    return result;
}

/* A folder's own links are the operator's; that it is a path inwards is for us to see to. */
static bool leads_inwards(struct bytes path)
{
    struct bytes part;
    if (path.n == 0 || memchr(path.p, '\0', path.n)) return false;
    while (bytes_split(&path, '/', &part))
        if (part.n == 0 || bytes_equal(part, BYTES(".")) || bytes_equal(part, BYTES("..")))
            return false;
    return true;
}

static int read_folder(struct reader *r, const struct json *value, struct error *reason)
{
    struct bytes name = value->text;
    struct buf path = {0};
    struct stat there;
    if (!leads_inwards(name))
        return error_set(reason,
                         "'%.*s' is no folder inside the scripts folder: write it as \"data\" or "
                         "\"data/towns\", without . and ..",
                         BYTES_ARG(name));
    buf_printf(&path, "%s/%.*s", r->folder, BYTES_ARG(name));
    int result = stat(buf_text(&path), &there) == 0 && S_ISDIR(there.st_mode)
                     ? 0
                     : error_set(reason, "there is no folder %s", buf_text(&path));
    buf_free(&path);
    if (result != 0) return -1;
    grants_add(r->grants, &(struct grant){.kind = GRANT_READ, .script = r->script, .name = name});
    return 0;
}

/* Returns the names of the scripts in the folder, NULL-terminated; NULL if it can't be read. */
static char **list_scripts(const char *folder)
{
    DIR *dir = opendir(folder);
    char **names = NULL;
    size_t n = 0;
    if (!dir) return NULL;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        struct bytes file = bytes_of(entry->d_name);
        if (file.n <= 4 || strcmp(file.p + file.n - 4, ".lua") != 0) continue;
        if (file.p[0] == '.' || strcmp(file.p, "host.lua") == 0) continue;
        names = mem_realloc(names, (n + 2) * sizeof *names);
        names[n++] = mem_copy((struct bytes){file.p, file.n - 4});
        names[n] = NULL;
    }
    closedir(dir);
    return names ? names : mem_alloc(sizeof *names);
}

static int no_script(const char *name, const char *folder, const char *near, struct error *reason)
{
    if (near)
        return error_set(reason, "there is no script '%s' in %s (did you mean '%s'?)", name, folder,
                         near);
    return error_set(reason, "there is no script '%s' in %s", name, folder);
}

/* Returns 0 if the script is there. A folder that can't be read is told by whoever loads it. */
static int check_script(const struct reader *r, struct bytes script, struct error *reason)
{
    char **names = list_scripts(r->folder);
    char *name = mem_copy(script);
    bool found = !names;
    for (char **at = names; at && *at; at++)
        if (strcmp(*at, name) == 0) found = true;
    int result = 0;
    if (!found)
        result = no_script(name, r->folder, nearest_name(name, (const char *const *)names), reason);
    for (char **at = names; at && *at; at++)
        free(*at);
    free(names);
    free(name);
    return result;
}

static int add_collection(struct reader *r, struct bytes owner, struct bytes name,
                          const char *access, struct error *reason)
{
    struct grant grant = {GRANT_STORE, r->script, owner, name, strcmp(access, "write") == 0};
    if (name.n == 0 || name.n > STORE_NAME_BYTES)
        return error_set(reason, "a collection's name has 1 to %d bytes", STORE_NAME_BYTES);
    if (!grant.write && strcmp(access, "read") != 0)
        return error_set(reason, "%.*s must be \"read\" or \"write\" (which reads too)",
                         BYTES_ARG(name));
    grants_add(r->grants, &grant);
    return 0;
}

/* { "bookings" } may be read; { bookings = "write" } says how. */
static int read_collections(struct reader *r, struct bytes owner, const struct json *given,
                            struct error *reason)
{
    bool named = json_is(given, JSON_OBJECT);
    if (!named && !json_is(given, JSON_ARRAY))
        return error_set(reason, "must be a list of collections, such as { \"bookings\" } or { "
                                 "bookings = \"write\" }");
    for (const struct json *e = json_first(given); e; e = json_next(given, e)) {
        const struct json *access = named ? json_value(e) : NULL;
        if (!json_is(e, JSON_STRING)) return error_set(reason, "a collection's name is a string");
        /* A value that is no string has an empty text, which is no access. */
        char *word = mem_copy(named ? json_string(access) : BYTES("read"));
        int result = add_collection(r, owner, e->text, word, reason);
        free(word);
        if (result != 0) return -1;
    }
    return 0;
}

static int read_store(struct reader *r, const struct json *owners)
{
    struct error reason, place;
    if (!json_is(owners, JSON_OBJECT)) {
        error_set(&reason, "must be a table of scripts and their collections, such as { "
                           "book_meeting = { \"bookings\" } }");
        return fail(r, "store", &reason);
    }
    for (const struct json *owner = json_first(owners); owner; owner = json_next(owners, owner)) {
        int result = check_script(r, owner->text, &reason);
        if (bytes_equal(owner->text, r->script))
            result = error_set(&reason, "its own collections need no grant");
        if (result == 0) result = read_collections(r, owner->text, json_value(owner), &reason);
        if (result == 0) continue;
        error_set(&place, "%.*s: %s", BYTES_ARG(owner->text), reason.text);
        return fail(r, "store", &place);
    }
    return 0;
}

static int read_callback(struct reader *r, const struct json *value)
{
    struct error reason;
    if (!json_is(value, JSON_TRUE) && !json_is(value, JSON_FALSE)) {
        error_set(&reason, "must be true or false");
        return fail(r, "callback", &reason);
    }
    if (json_true(value))
        grants_add(r->grants, &(struct grant){.kind = GRANT_CALLBACK, .script = r->script});
    return 0;
}

static int read_kind(struct reader *r, struct bytes kind, const struct json *value)
{
    static const char *const names[] = {"callback", "env", "http", "read", "store", NULL};
    if (bytes_equal(kind, BYTES("callback"))) return read_callback(r, value);
    if (bytes_equal(kind, BYTES("env"))) return read_list(r, "env", value, read_variable);
    if (bytes_equal(kind, BYTES("http"))) return read_list(r, "http", value, read_server);
    if (bytes_equal(kind, BYTES("read"))) return read_list(r, "read", value, read_folder);
    if (bytes_equal(kind, BYTES("store"))) return read_store(r, value);
    char *name = mem_copy(kind);
    const char *near = nearest_name(name, names);
    if (near)
        error_set(r->error, "grants.%.*s: unknown kind of grant '%s' (did you mean '%s'?)",
                  BYTES_ARG(r->script), name, near);
    else
        error_set(
            r->error,
            "grants.%.*s: unknown kind of grant '%s' (known are callback, env, http, read, store)",
            BYTES_ARG(r->script), name);
    free(name);
    return -1;
}

static int read_script(struct reader *r, struct bytes script, const struct json *kinds)
{
    struct error reason;
    r->script = script;
    if (check_script(r, script, &reason) != 0)
        return error_set(r->error, "grants: %s", reason.text);
    if (!json_is(kinds, JSON_OBJECT))
        return error_set(r->error,
                         "grants.%.*s: must be a table of grants, such as { env = { "
                         "\"NAME\" } }",
                         BYTES_ARG(script));
    for (const struct json *k = json_first(kinds); k; k = json_next(kinds, k))
        if (read_kind(r, k->text, json_value(k)) != 0) return -1;
    return 0;
}

struct grants *grants_read_table(const struct json *table, const char *folder, struct error *error)
{
    struct reader r = {.grants = grants_new(), .folder = folder, .error = error};
    int result = 0;
    if (!json_is(table, JSON_OBJECT))
        result = error_set(error, "grants must be a table, such as { weather = { env = { "
                                  "\"WEATHER_KEY\" } } }");
    for (const struct json *k = json_first(table); k && result == 0; k = json_next(table, k))
        result = read_script(&r, k->text, json_value(k));
    if (result == 0) return r.grants;
    grants_free(r.grants);
    return NULL;
}
