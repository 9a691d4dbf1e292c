/* Where scripts keep rows: collections of JSON values, a namespace a script, written in
 * transactions that happen whole or not at all.
 *
 * Words. **script**: the name that owns the rows. **collection**: a named set of rows in it.
 * **row**: a key and a value (JSON text). **batch**: the staged writes of one call, in order.
 *
 * To add a store: one file that fills in a struct store_ops, and one line in store.c.
 *
 * Stores block. The queue (queue.h) runs them off the event loop; only a store whose `blocking` is
 * false may be called from it. A store is used by one thread at a time. */
#ifndef LUNASK_STORE_STORE_H
#define LUNASK_STORE_STORE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdint.h>

enum {
    STORE_NAME_BYTES = 128,         /* of a script or collection name: 1 to this */
    STORE_KEY_BYTES = 512,          /* of a key: 1 to this */
    STORE_VALUE_BYTES = 256 * 1024, /* of a value */
    STORE_LIST_ROWS = 1000,         /* of one list() */
};

enum store_write_kind { STORE_PUT, STORE_DELETE };

/* One staged write. All views are borrowed for the call. */
struct store_write {
    enum store_write_kind kind;
    struct bytes script, collection, key;
    struct bytes value; /* PUT: JSON text */
};

/* Receives one row; the views are borrowed for the call. Returns 0 to go on, else to stop. */
typedef int store_row_fn(void *arg, struct bytes key, struct bytes value);

struct store {
    const struct store_ops *ops;
    bool blocking; /* may wait for a disk or a network */
};

/* All return 0, or -1 with `error` naming the store and what the operator can do. */
struct store_ops {
    /* Adds the value to `value`; *found_r tells whether the row is there. */
    int (*get)(struct store *s, struct bytes script, struct bytes collection, struct bytes key,
               struct buf *value, bool *found_r, struct error *error);

    /* Calls `row` for each row in the order in which the rows were first written, at most `limit`
     * of them after the row with key `after` (empty: from the start; a key that is gone: from the
     * start too). */
    int (*list)(struct store *s, struct bytes script, struct bytes collection, struct bytes after,
                size_t limit, store_row_fn *row, void *arg, struct error *error);

    int (*count)(struct store *s, struct bytes script, struct bytes collection, int64_t *count_r,
                 struct error *error);

    /* Writes all of `writes`, or none. When it has returned 0, they are as durable as the store can
     * make them. Putting an existing key replaces its value and keeps its place in the order. */
    int (*commit)(struct store *s, const struct store_write *writes, size_t n, struct error *error);

    void (*close)(struct store *s); /* takes `s` */
};

/* Opens the store that `where` names: "memory:", or a path of an SQLite file (made with mode 0600,
 * its folder with 0700, when missing). `read_only` opens an existing file without changing it, even
 * while a host writes to it. Returns owned (close with store_close), or NULL with `error`. */
struct store *store_open(const char *where, bool read_only, struct error *error);
void store_close(struct store *s); /* NULL is fine */

/* Adds the default place to `out`: $XDG_STATE_HOME/lunask/store.db, else
 * $HOME/.local/state/lunask/store.db. Returns -1 with `error` when neither variable is set. */
int store_default_path(struct buf *out, struct error *error);

/* memory.c and sqlite.c */
struct store *store_memory_open(void);
struct store *store_sqlite_open(const char *path, bool read_only, struct error *error);

#endif
