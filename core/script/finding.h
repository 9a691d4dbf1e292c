/* What is wrong with a script, and where: what `lunask check` prints and a reload logs.
 *
 * Files are named as Lua's messages name them: by the last part of the scripts folder's path and
 * what is inside it, "scripts/lib/x.lua". */
#ifndef LUNASK_SCRIPT_FINDING_H
#define LUNASK_SCRIPT_FINDING_H

#include "base/buf.h"
#include "base/log.h"

struct finding {
    bool warning;      /* the scripts load all the same */
    struct bytes file; /* {NULL, 0}: it is about no single file */
    int line;          /* 0: about the whole file */
    struct bytes text;
};

/* Where findings go. What is in a finding is borrowed for the call. */
struct findings {
    void (*add)(void *arg, const struct finding *f);
    void *arg;
};

/* Takes "scripts/x.lua:12: reason" or "scripts/x.lua: reason" apart; a text of neither form is a
 * finding about no file. The finding views `text`. */
struct finding finding_read(struct bytes text);

/* Adds "scripts/x.lua:12: reason" to `out`, with "warning: " before the reason of a warning if
 * `graded`. */
void finding_write(const struct finding *f, bool graded, struct buf *out);

/* Adds the path of the finding's file to `out`, as `folder` (the scripts folder as it was given)
 * leads to it. */
void finding_path(const struct finding *f, struct bytes folder, struct buf *out);

/* Logs it as one line of its level. */
void finding_log(const struct finding *f, struct log *log);

#endif
