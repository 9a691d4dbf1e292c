/* The file under an SQLite store, before SQLite sees it: found, or made for this user alone.
 *
 * SQLite would make it with the mode that the umask leaves, and in a folder that is there. The rows
 * are what people told the tools, so the file is made here first; the files that SQLite puts beside
 * it (-wal, -shm) get the mode of this one. */
#ifndef LUNASK_STORE_SQLITE_FILE_H
#define LUNASK_STORE_SQLITE_FILE_H

#include "base/error.h"

#include <stdbool.h>

/* Checks that `path` is a file; when nothing is there, makes it empty with mode 0600 and the
 * folders above it with 0700, and sees to it that they outlive a crash of the machine. With
 * `read_only` a missing file is an error. Returns 0, or -1 with `error` naming the path and the way
 * out. */
int sqlite_file_prepare(const char *path, bool read_only, struct error *error);

#endif
