#include "wire/lines.h"

#include <string.h>

void lines_free(struct lines *l)
{
    buf_free(&l->held);
}

/* Not of a line that is only one because its end has not come yet. */
static void drop_taken(struct lines *l)
{
    if (l->taken) buf_free(&l->held);
    l->taken = false;
}

static bool is_blank(struct bytes line)
{
    return bytes_trim(line).n == 0;
}

static struct bytes without_return(struct bytes line)
{
    if (line.n > 0 && line.p[line.n - 1] == '\r') line.n--;
    return line;
}

/* `part` ends a line, whose beginning may be held. */
static enum lines_found finish(struct lines *l, struct bytes part, struct bytes *line_r)
{
    if (l->skipping) {
        l->skipping = false;
        return LINES_NONE;
    }
    if (l->held.n + part.n > l->most) {
        buf_free(&l->held);
        return LINES_TOO_LONG;
    }
    if (l->held.n > 0) {
        buf_add(&l->held, part);
        l->taken = true;
        part = buf_bytes(&l->held);
    }
    *line_r = without_return(part);
    return is_blank(*line_r) ? LINES_NONE : LINES_ONE;
}

/* `part` is in the middle of a line. */
static enum lines_found keep(struct lines *l, struct bytes part)
{
    if (l->skipping) return LINES_NONE;
    if (l->held.n + part.n > l->most) {
        buf_free(&l->held);
        l->skipping = true;
        return LINES_TOO_LONG;
    }
    buf_add(&l->held, part);
    return LINES_NONE;
}

enum lines_found lines_next(struct lines *l, struct bytes *rest, struct bytes *line_r)
{
    enum lines_found found = LINES_NONE;
    while (rest->n > 0 && found == LINES_NONE) {
        const char *newline = memchr(rest->p, '\n', rest->n);
        struct bytes part = {rest->p, newline ? (size_t)(newline - rest->p) : rest->n};
        size_t used = part.n + (newline != NULL);
        drop_taken(l);
        rest->p += used;
        rest->n -= used;
        found = newline ? finish(l, part, line_r) : keep(l, part);
    }
    return found;
}

enum lines_found lines_end(struct lines *l, struct bytes *line_r)
{
    drop_taken(l);
    return finish(l, (struct bytes){NULL, 0}, line_r);
}
