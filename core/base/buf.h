/* A growable byte buffer: where every reply, log line and journal is written.
 *
 * A buf never fails: running out of memory ends the process with one clear line (mem.h), because
 * no caller could answer any better. What a client can make us write is bounded elsewhere. */
#ifndef LUNASK_BASE_BUF_H
#define LUNASK_BASE_BUF_H

#include "base/bytes.h"

#include <stdint.h>

/* All zero is an empty buf. `p` is not NUL-terminated; see buf_text. */
struct buf {
    char *p;    /* from malloc, or NULL */
    size_t n;   /* bytes written */
    size_t cap; /* bytes there is room for */
};

/* Frees what `b` holds and leaves it empty and usable. */
void buf_free(struct buf *b);

/* Empties `b` and keeps its memory, for one that is filled again and again. */
void buf_clear(struct buf *b);

/* Makes room for `n` more bytes and returns where to write them; add to b->n what was written. The
 * place is good until the next change of `b`. Room doubles, so adding byte by byte is linear. */
char *buf_reserve(struct buf *b, size_t n);

/* What is added must not be a part of `b` itself: growing moves it. */
void buf_add(struct buf *b, struct bytes data);
void buf_addz(struct buf *b, const char *text);
void buf_addc(struct buf *b, char c);
void buf_add_int(struct buf *b, int64_t value); /* decimal */
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns a view of the contents, borrowed until the next change of `b`. */
struct bytes buf_bytes(const struct buf *b);

/* Returns the contents as a NUL-terminated string, borrowed until the next change of `b`. The NUL
 * is not part of the contents: what is added next takes its place. */
const char *buf_text(struct buf *b);

/* Returns the contents, owned by the caller (free()), NUL-terminated behind *n_r bytes, and leaves
 * `b` empty. `n_r` may be NULL. Never NULL, even of an empty buf. */
char *buf_take(struct buf *b, size_t *n_r);

#endif
