#include "call/client.h"

#include "wire/json_write.h"

#include <stdio.h>
#include <string.h>

enum { MOST_REQUIRED = 16 }; /* there are not that many that a question can need */

/* Whether the client's version is that one or a later one: they are dates. */
static bool speaks(const struct client *client, const char *version)
{
    return !client->version.n || bytes_compare(client->version, bytes_of(version)) >= 0;
}

/* What the client declared instead where its version has no name for the capability; empty: it has
 * not got it (changelogs of 2025-06-18 and 2025-11-25). */
static struct bytes in_its_version(const struct client *client, struct bytes capability)
{
    bool elicits = bytes_starts(capability, BYTES("elicitation"));
    if (speaks(client, "2025-11-25")) return capability;
    if (elicits && !speaks(client, "2025-06-18")) return BYTES("");
    if (bytes_equal(capability, BYTES("elicitation.form"))) return BYTES("elicitation");
    if (bytes_equal(capability, BYTES("sampling.context"))) return BYTES("sampling");
    bool later = bytes_equal(capability, BYTES("elicitation.url")) ||
                 bytes_equal(capability, BYTES("sampling.tools"));
    return later ? BYTES("") : capability;
}

bool client_supports(const struct client *client, struct bytes capability)
{
    capability = in_its_version(client, capability);
    const struct json *at = client->capabilities;
    struct bytes rest = capability;
    struct bytes part;
    /* Down the path; from the first part that is missing on, `at` stays NULL. */
    while (bytes_split(&rest, '.', &part))
        at = json_get_bytes(at, part);
    if (json_is(at, JSON_OBJECT) || json_true(at)) return true;
    /* {"elicitation":{}} is what clients sent before there were modes. */
    if (!bytes_equal(capability, BYTES("elicitation.form"))) return false;
    const struct json *modes = json_get(client->capabilities, "elicitation");
    return json_is(modes, JSON_OBJECT) && !json_get(modes, "form") && !json_get(modes, "url");
}

bool client_extends(const struct client *client, const char *name)
{
    return json_is(json_get(json_get(client->capabilities, "extensions"), name), JSON_OBJECT);
}

int client_set_log_level(struct client *client, const struct json *level)
{
    char name[16];
    struct bytes text = json_string(level);
    if (text.n == 0 || text.n >= sizeof name) return -1;
    snprintf(name, sizeof name, "%.*s",
             BYTES_ARG(text)); /* a NUL within ends it: no name has one */
    if (strlen(name) != text.n || log_level_read(name, &client->log_level) != 0) return -1;
    client->logs = true;
    return 0;
}

/* Splits the first part of a dotted path off. */
static struct bytes head(struct bytes *path)
{
    struct bytes part = {NULL, 0};
    bytes_split(path, '.', &part);
    return part;
}

static bool is_named_before(const struct bytes *paths, size_t at, struct bytes name)
{
    for (size_t i = 0; i < at; i++) {
        struct bytes path = paths[i];
        if (path.p && bytes_equal(head(&path), name)) return true;
    }
    return false;
}

/* Writes the object of these paths; a path that has come to its end is {NULL, 0}. */
static void write_tree(const struct bytes *paths, size_t n, struct buf *out)
{
    struct bytes below[MOST_REQUIRED];
    bool first = true;
    buf_addc(out, '{');
    for (size_t i = 0; i < n; i++) {
        struct bytes path = paths[i];
        struct bytes name = head(&path);
        if (!name.p || is_named_before(paths, i, name)) continue;
        size_t m = 0;
        for (size_t k = i; k < n; k++) {
            path = paths[k];
            if (path.p && bytes_equal(head(&path), name)) below[m++] = path;
        }
        if (!first) buf_addc(out, ',');
        first = false;
        json_write_string(out, name);
        buf_addc(out, ':');
        write_tree(below, m, out);
    }
    buf_addc(out, '}');
}

void client_write_required(struct bytes capabilities, struct buf *out)
{
    struct bytes paths[MOST_REQUIRED];
    size_t n = 0;
    while (n < MOST_REQUIRED && bytes_split(&capabilities, ' ', &paths[n]))
        n++;
    write_tree(paths, n, out);
}

void client_write(const struct client *client, struct buf *out)
{
    buf_addz(out, "{\"name\":");
    json_write_string(out, json_string(json_get(client->info, "name")));
    buf_addz(out, ",\"version\":");
    json_write_string(out, json_string(json_get(client->info, "version")));
    buf_addz(out, ",\"capabilities\":");
    if (client->capabilities)
        json_write_value(out, client->capabilities);
    else
        buf_addz(out, "{}");
    buf_addc(out, '}');
}
