#include "call/client.h"

#include "wire/json_write.h"

#include <stdio.h>
#include <string.h>

bool client_supports(const struct client *client, struct bytes capability)
{
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

void client_write_required(struct bytes capability, struct buf *out)
{
    struct bytes part;
    int depth = 0;
    for (; bytes_split(&capability, '.', &part); depth++) {
        buf_addc(out, '{');
        json_write_string(out, part);
        buf_addc(out, ':');
    }
    buf_addz(out, "{}");
    while (depth-- > 0)
        buf_addc(out, '}');
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
