/* Where the settings come from: flags override the environment, which overrides the file, which
 * overrides the defaults.
 *
 * To add a setting: a member of struct settings, and one line in the table of config.c, where its
 * key, kind, default and meaning stand; a line in the README's table; and, if it is for the command
 * line too, a member of struct config_flags and a line in read_flags.
 *
 * Read once, at the start: a host keeps the settings it began with. */
#ifndef LUNASK_HOST_CONFIG_H
#define LUNASK_HOST_CONFIG_H

#include "base/error.h"
#include "call/settings.h"

#include <stdbool.h>

/* What the command line gave; NULL where it gave nothing (blank allowed_origins are nothing too).
 */
struct config_flags {
    const char *scripts, *config, *listen, *store, *allowed_origins;
    bool piped; /* nobody connects: where to listen does not matter */
};

/* Fills in `s` (all zero before; free it with config_free, whatever is returned). The file is
 * flags->config, else host.lua in the scripts folder if it is there. Returns -1 with an error that
 * names the file, its line, the key and what it may be ("scripts/host.lua:7: …"); an unknown key is
 * answered with the nearest known one. */
int config_read(const struct config_flags *flags, struct settings *s, struct error *error);

/* As config_read, but goes on behind a mistake where it can: `findings` is told of each, with the
 * file, and with the line if the text of the file tells it. `error` is the first. */
struct findings;
int config_read_all(const struct config_flags *flags, struct settings *s,
                    const struct findings *findings, struct error *error);

void config_free(struct settings *s);

#endif
