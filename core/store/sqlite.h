/* The store in an SQLite file, safe to share with other processes on the same machine.
 *
 * The file is in WAL mode with synchronous=FULL: a commit is on the disk when it returns (with
 * less, the last commits before a power cut could be lost), and readers never wait for a writer. A
 * writer waits up to 5 s for another one. Commits that are put together (store_begin) are
 * savepoints of one transaction, and so share one sync. The file names itself by its application_id
 * and the version of its tables by its user_version; a file of another program or of a newer lunask
 * is refused, never changed.
 *
 * To change the tables: raise SCHEMA_VERSION, and bring files of an older version up to date in
 * set_up, in one transaction. What an older lunask wrote must still open. */
#ifndef LUNASK_STORE_SQLITE_H
#define LUNASK_STORE_SQLITE_H

#include "store/store.h"

/* See store_open. */
struct store *store_sqlite_open(const char *path, bool read_only, struct error *error);

#endif
