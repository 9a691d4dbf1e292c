/* The writes of a call that are not committed yet, and reads that see them.
 *
 * A handler reads what it has written, as it would without transactions; everybody else sees it
 * only once the call has ended well. Nothing is written before the commit, so giving up a call is
 * forgetting its staging.
 *
 *   read = what the store has  ⊕  the last of the call's writes to each row
 *
 * Two calls that write the same row do not see each other: the later commit wins, unless it has
 * read the row that the earlier one changed (reads.h). While a call waits for a read nothing is
 * staged, so the store's thread may use it. */
#ifndef LUNASK_CALL_STAGING_H
#define LUNASK_CALL_STAGING_H

#include "base/arena.h"
#include "call/reads.h"
#include "script/run.h"
#include "store/store.h"

/* Of one call. Reads search all of them, and a commit holds the store's lock for that long. */
enum { STAGING_WRITES = 1000 };

struct staging {
    struct bytes script; /* whose rows they are, mostly; borrowed of the tool */
    struct store_write *writes;
    size_t n, cap;
    struct arena arena; /* what the writes point to */
    struct reads reads;
};

/* Forgets all but whose rows they are. */
void staging_free(struct staging *s);

/* Forgets the writes and keeps what was read. */
void staging_drop_writes(struct staging *s);

/* Adds a write, copying what it is given; an empty `script` of it stands for s->script. Returns -1
 * with `error`, which is for the script's author, when a name, key or value is out of the bounds of
 * store.h, or there are too many writes.
 */
int staging_add(struct staging *s, const struct store_write *w, struct error *error);

/* Returns 0 if a script may read this, or -1 with `error`, which is for the script's author. */
int staging_check(const struct run_read *read, struct error *error);

/* Reads from `store` as if the writes had been made, and adds the answer to `json`: a value or
 * nothing (GET), an array of {"key":…,"value":…} (LIST), a number (COUNT); not for FILE and FETCH.
 * One thing is kinder than that: a row that the call itself has deleted still marks a place to list
 * on from, so that a script may delete what it pages through. Returns -1 with `error`; `json` may
 * then hold a part. */
int staging_read(struct staging *s, struct store *store, const struct run_read *read,
                 struct buf *json, struct error *error);

/* Commits the writes, and with them the `n` of the host's own in `more`. Returns as store_commit
 * does; STORE_CHANGED also if a row that was read is another one now. */
int staging_commit(const struct staging *s, struct store *store, const struct store_write *more,
                   size_t n, struct error *error);

#endif
