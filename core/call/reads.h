/* The rows that a call has read by their keys, as they were: its commit is good only if they still
 * are. So of two calls that read and write the same row one is first, and the other runs again.
 *
 * What was listed or counted is not noted: a list may have changed by the time of the commit. */
#ifndef LUNASK_CALL_READS_H
#define LUNASK_CALL_READS_H

#include "base/arena.h"
#include "store/store.h"

/* Beyond either, rows are no longer noted, and the call can't write. */
enum { READS_ROWS = 1000, READS_BYTES = 4 * 1024 * 1024 };

struct reads {
    struct store_write *rows; /* STORE_EXPECT each */
    size_t n, cap;
    size_t bytes; /* of the values */
    bool lost;    /* a row was not noted */
    struct arena arena;
};

void reads_free(struct reads *r);

/* Notes what a row was when the call first read it; `value` is {NULL, 0} if it was not there. */
void reads_note(struct reads *r, struct bytes script, struct bytes collection, struct bytes key,
                struct bytes value);

#endif
