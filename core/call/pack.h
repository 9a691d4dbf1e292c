/* The bytes of sealed things: big-endian integers and texts behind their length.
 *
 * There are no tags and no optional parts, so a layout is the order of calls, and reader and writer
 * must agree on it: pack_claim and unpack (seal.c), journal_encode and read_journal (journal.c).
 * Whoever changes one gives it a new version first.
 *
 * A reader may be handed anything. What is missing reads as zero or empty and marks the reader, so
 * that a whole record is read straight down and judged once, by pack_end. */
#ifndef LUNASK_CALL_PACK_H
#define LUNASK_CALL_PACK_H

#include "base/buf.h"

struct pack_reader {
    struct bytes rest; /* not read yet, borrowed */
    bool failed;       /* something was missing: all that follows reads as nothing */
};

/* Adds the low `width` bytes (1 to 8) of `value`. */
void pack_int(struct buf *out, uint64_t value, unsigned width);
void pack_raw(struct buf *out, const void *p, size_t n);

/* Adds the length of `text` in 4 bytes, then `text`, which is shorter than 4 GiB. */
void pack_text(struct buf *out, struct bytes text);

uint64_t pack_read_int(struct pack_reader *r, unsigned width);
void pack_read_raw(struct pack_reader *r, void *to, size_t n);

/* Returns a view into what is read, or {NULL, 0} if it ends too early. */
struct bytes pack_read_text(struct pack_reader *r);

/* Returns whether everything was there and nothing is left over. */
bool pack_end(const struct pack_reader *r);

#endif
