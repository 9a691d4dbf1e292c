/* Messages delimited by newlines, out of bytes that come in pieces (2026-07-28 transports/stdio;
 * 2025-11-25 basic/transports, "stdio").
 *
 * A line is what stands before a newline, without a carriage return at its end: clients on Windows
 * write one. Blank lines are passed over. A line that grows too long is told of at once and is not
 * kept; what follows its newline is read as ever. So memory never holds more than one line. */
#ifndef LUNASK_WIRE_LINES_H
#define LUNASK_WIRE_LINES_H

#include "base/buf.h"

/* All zero but for `most` is one that has seen nothing. */
struct lines {
    size_t most;     /* bytes of a line, its carriage return included */
    struct buf held; /* the beginning of a line whose end has not come */
    bool taken;      /* it was returned: to be dropped with the next call */
    bool skipping;   /* through a line that was too long */
};

enum lines_found { LINES_NONE, LINES_ONE, LINES_TOO_LONG };

void lines_free(struct lines *l);

/* Takes bytes off *rest up to the end of a line. LINES_ONE: *line_r is that line, valid until the
 * next call and as long as the bytes of *rest. LINES_TOO_LONG comes once for each such line.
 * LINES_NONE: all of *rest was taken. */
enum lines_found lines_next(struct lines *l, struct bytes *rest, struct bytes *line_r);

/* At the end of the bytes: the last line, if it lacks its newline. LINES_NONE: there is none. */
enum lines_found lines_end(struct lines *l, struct bytes *line_r);

#endif
