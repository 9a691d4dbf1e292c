/* Noticing that somebody saved a script.
 *
 * Watched are the scripts folder and its lib/ with all folders in it; and, for these, for each
 * symbolic link in them and for the settings' file, every folder in which a part of the path is
 * found that may come to mean something else: a link that a deployment swaps, or the scripts folder
 * itself. Editors write in many steps and through temporary files, so a change is told of once it
 * has been quiet for WATCH_QUIET_MS; where it never is, after WATCH_MOST_MS. */
#ifndef LUNASK_HOST_WATCH_H
#define LUNASK_HOST_WATCH_H

#include "base/bytes.h"
#include "base/log.h"

#include <uv.h>

enum {
    WATCH_QUIET_MS = 50,
    WATCH_MOST_MS = 500,
    WATCH_DEPTH = 8,    /* of folders in lib/, and of links to links */
    WATCH_SPOTS = 1024, /* pairs of a folder and a name in it that matters */
};

struct watch;

/* Calls `changed(arg)` from the loop after every change to a script, a module or the settings' file
 * `config`. Borrows `log`; what can't be watched is logged. */
struct watch *watch_new(uv_loop_t *loop, const char *scripts, const char *config, struct log *log,
                        void (*changed)(void *arg), void *arg);

/* Calls nothing any more; the loop frees it. */
void watch_free(struct watch *w);

/* Returns in how many milliseconds a change is to be told of when there was an event just now and
 * the first one not told of yet was at `first_ms`. */
int64_t watch_wait_ms(int64_t first_ms, int64_t now_ms);

/* True if `name` in the scripts folder, or in a folder of modules (`in_lib`), may be something that
 * is loaded: a Lua file that is not hidden, lib/, or a folder of modules (letters, digits and _).
 */
bool watch_concerns(const char *name, bool in_lib);

#endif
