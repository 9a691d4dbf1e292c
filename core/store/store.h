/* Where scripts keep rows: collections of JSON values, a namespace a script, written in
 * transactions that happen whole or not at all.
 *
 * Words. **script**: the name that owns the rows. **collection**: a named set of rows in it.
 * **row**: a key and a value (JSON text). **batch**: the staged writes of one call, in order, and
 * what it expects to find.
 *
 * Callers use store_get, store_list, store_count and store_commit, which check the bounds below
 * once for all stores and then hand over to the store's ops; nobody else calls the ops.
 *
 * To add a store: one file that fills in a struct store_ops, and one line in store_open.
 *
 * Stores block. The queue (queue.h) runs them off the event loop; only a store whose `blocking` is
 * false may be called from it. A store is used by one thread at a time.
 *
 * What a call reads and has not yet written is merged above (call/staging.h): a store knows rows
 * that are committed, and nothing of calls. */
#ifndef LUNASK_STORE_STORE_H
#define LUNASK_STORE_STORE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdint.h>

/* Names and keys are text without NUL; that they are UTF-8 is for the caller to see to. The bounds
 * are the same for every store, so that rows can move from one to another. */
enum {
    STORE_NAME_BYTES = 128,         /* of a script or collection name: 1 to this */
    STORE_KEY_BYTES = 512,          /* of a key: 1 to this */
    STORE_VALUE_BYTES = 256 * 1024, /* of a value: 1 to this */
    STORE_LIST_ROWS = 1000,         /* of one store_list: 1 to this */
};

enum store_write_kind {
    STORE_PUT, /* made, or given a new value */
    STORE_DELETE,
    STORE_EXPECT, /* no write: the batch is good only if the row is as `value` says */
};

/* One staged write. All views are borrowed for the call. */
struct store_write {
    enum store_write_kind kind;
    struct bytes script, collection, key;
    struct bytes value; /* PUT: JSON text. EXPECT: the text that the row has, byte for byte; {NULL,
                           0}: there is no such row */
};

enum { STORE_CHANGED = 1 }; /* of store_commit */

/* Receives one row; the views are borrowed for the call. Returns 0 to go on, else to stop, which is
 * no error of the list. */
typedef int store_row_fn(void *arg, struct bytes key, struct bytes value);

/* Receives the names of a collection that has rows, as above. */
typedef int store_names_fn(void *arg, struct bytes script, struct bytes collection);

/* The head of every store; memory.c and sqlite.c put it first in a struct of their own. */
struct store {
    const struct store_ops *ops;
    bool blocking;  /* may wait for a disk or a network; never changes */
    bool read_only; /* store_commit refuses */
};

/* What a store does, with arguments already found to be within the bounds. The contracts are those
 * of the functions of the same names below. */
struct store_ops {
    int (*get)(struct store *s, struct bytes script, struct bytes collection, struct bytes key,
               struct buf *value, bool *found_r, struct error *error);
    int (*list)(struct store *s, struct bytes script, struct bytes collection, struct bytes after,
                size_t limit, store_row_fn *row, void *arg, struct error *error);
    int (*count)(struct store *s, struct bytes script, struct bytes collection, int64_t *count_r,
                 struct error *error);
    int (*names)(struct store *s, store_names_fn *names, void *arg, struct error *error);
    int (*commit)(struct store *s, const struct store_write *writes, size_t n, struct error *error);
    int (*begin)(struct store *s,
                 struct error *error); /* both NULL: commits can't be put together */
    int (*end)(struct store *s, struct error *error);
    void (*close)(struct store *s); /* takes `s` */
};

/* Opens the store that `where` names: "memory:", or a path of an SQLite file (made with mode 0600,
 * its folders with 0700, when missing). `read_only` opens an existing file without changing its
 * rows, even while a host writes to it. Returns owned (close with store_close), or NULL with
 * `error` naming the store and what the operator can do. */
struct store *store_open(const char *where, bool read_only, struct error *error);
void store_close(struct store *s); /* takes `s`; NULL is fine */

/* The five below return 0, or -1 with `error`: which bound was broken, or what is wrong with the
 * store and what the operator can do. */

/* Adds the value to `value`; *found_r tells whether the row is there. If not, nothing is added. */
int store_get(struct store *s, struct bytes script, struct bytes collection, struct bytes key,
              struct buf *value, bool *found_r, struct error *error);

/* Calls `row` for each row in the order in which the rows were first written, at most `limit` of
 * them after the row with key `after` (empty: from the start; a key that is gone: from the start
 * too). `row` must not call the store.
 *
 * To page, pass the last key of a page as `after` of the next, and end with the first page that is
 * not full. Each page is a look of its own: what others commit between two pages may show. */
int store_list(struct store *s, struct bytes script, struct bytes collection, struct bytes after,
               size_t limit, store_row_fn *row, void *arg, struct error *error);

/* Returns the number of rows in *count_r. May take as long as walking them all. */
int store_count(struct store *s, struct bytes script, struct bytes collection, int64_t *count_r,
                struct error *error);

/* Calls `names` once for each collection that has rows, in no order. May take as long as walking
 * all rows: it is for people who look in, not for calls. `names` must not call the store. */
int store_names(struct store *s, store_names_fn *names, void *arg, struct error *error);

/* Writes all of `writes`, or none. When it has returned 0, they are as durable as the store can
 * make them. Putting an existing key replaces its value and keeps its place in the order; deleting
 * a key that is not there is fine.
 *
 * Returns STORE_CHANGED, `error` untouched, if one of its STORE_EXPECTs does not hold. They are
 * about the rows as they are before the batch, wherever in it they stand; nobody else's commit
 * comes between them and the writes. So two batches that expect the same row to be absent, and put
 * it, can't both be written. */
int store_commit(struct store *s, const struct store_write *writes, size_t n, struct error *error);

/* Puts the commits from begin to end together: each still happens whole or not at all, and sees
 * those before it, but none is durable, and none may be told of, until store_end has returned 0.
 * When it returns -1 none of them has happened: they can be made again, one by one. After a begin
 * that returns -1 (a store that can't do this, or one that fails) there is nothing to end. */
int store_begin(struct store *s, struct error *error);
int store_end(struct store *s, struct error *error);

/* Adds the default place to `out`: $XDG_STATE_HOME/lunask/store.db (an absolute path only, as its
 * specification says), else $HOME/.local/state/lunask/store.db. Returns -1 with `error` when
 * neither variable is set. */
int store_default_path(struct buf *out, struct error *error);

#endif
