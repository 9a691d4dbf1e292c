/* Where a table in a file of Lua text gives a key its value: a mistake in a settings' file is told
 * with its line, which the table itself does not know. */
#ifndef LUNASK_SCRIPT_SOURCE_KEYS_H
#define LUNASK_SCRIPT_SOURCE_KEYS_H

#include "base/bytes.h"

/* Returns the line (from 1) on which `key =` or `["key"] =` stands inside exactly one pair of
 * braces, comments and strings left aside; 0 if there is no such place, or more than one: then the
 * text alone does not tell which one counts. `text` is Lua that compiles. */
int source_keys_line(struct bytes text, struct bytes key);

#endif
