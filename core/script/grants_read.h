/* The table `grants` of host.lua, checked as it is read: a grant that nobody could use is a mistake
 * that is told at the start. */
#ifndef LUNASK_SCRIPT_GRANTS_READ_H
#define LUNASK_SCRIPT_GRANTS_READ_H

#include "script/grants.h"
#include "wire/json.h"

/* Reads the table; the scripts and folders that it names must be in `folder`, the scripts folder.
 * Returns owned; or NULL with `error` as "grants.weather.env: reason", which names the nearest
 * script or kind where one is misspelt. */
struct grants *grants_read_table(const struct json *table, const char *folder, struct error *error);

#endif
