/* The configuration file: a Lua script that returns a table. */
#ifndef LUNASK_SCRIPT_HOST_TABLE_H
#define LUNASK_SCRIPT_HOST_TABLE_H

#include "base/buf.h"
#include "base/error.h"

/* Runs `path` in a VM of its own (no store, no client; the usual library, 16 MiB, 1 s) and adds the
 * table it returns to `json` as text. Returns -1 with `error` as "scripts/host.lua:3: reason". */
int host_table_read(const char *path, struct buf *json, struct error *error);

#endif
