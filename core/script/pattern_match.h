/* Matches Lua 5.4 patterns (section 6.4.1 of its manual) in a bounded number of steps.
 *
 * Knows bytes only: no Lua, no locale, no allocation. Nothing recurses; a search takes about 20 KiB
 * of C stack, whatever the pattern and the subject, and none between two searches.
 *
 * Words. **step**: one item (pattern_item.h) tried on one byte, or one return to an earlier choice;
 * 2 to 10 ns. Long sets and back references count for more. */
#ifndef LUNASK_SCRIPT_PATTERN_MATCH_H
#define LUNASK_SCRIPT_PATTERN_MATCH_H

#include "base/bytes.h"
#include "script/pattern_item.h"

#include <stdint.h>

enum {
    PATTERN_MATCH_BYTES = 1024, /* of a pattern */
    PATTERN_MATCH_CAPTURES = 32,
    PATTERN_MATCH_LOOK_EVERY = 4096 /* steps from one look at *stop to the next */
};

enum pattern_match_result {
    PATTERN_MATCH_FOUND,
    PATTERN_MATCH_NONE,
    PATTERN_MATCH_MALFORMED, /* `reason` says why */
    PATTERN_MATCH_TOO_LONG,  /* the pattern is over PATTERN_MATCH_BYTES */
    PATTERN_MATCH_USED_UP,   /* no steps are left */
    PATTERN_MATCH_STOPPED    /* *stop is not 0 */
};

/* What `n` of a capture says when it is no length: () captured a position, or the pattern ended
 * before the capture was closed. */
#define PATTERN_MATCH_POSITION   (SIZE_MAX - 1)
#define PATTERN_MATCH_UNFINISHED SIZE_MAX

/* No offset, for `refused` of pattern_match_search. */
#define PATTERN_MATCH_NOWHERE SIZE_MAX

struct pattern_match {
    struct bytes subject, pattern; /* borrowed, p never NULL; the pattern without the anchor */
    bool anchored;
    struct pattern_item first; /* what every match begins with; p is NULL if unknown */
    int64_t steps;             /* left, for all searches; below 0 once used up */
    int64_t look_at;           /* how many are left at the next look at *stop */
    const volatile int *stop;  /* borrowed, or NULL */
    const char *reason;        /* static, in the words of Lua */

    /* Of the last match, when one was found: */
    const char *start, *end;
    unsigned captures;
    struct pattern_match_capture {
        const char *start;
        size_t n;
    } capture[PATTERN_MATCH_CAPTURES];
};

/* Prepares searches of `subject` that may take `steps` steps together. A '^' in front is the anchor
 * if `may_anchor`, else a byte like others. `stop` may be NULL. */
void pattern_match_start(struct pattern_match *m, struct bytes subject, struct bytes pattern,
                         bool may_anchor, int64_t steps, const volatile int *stop);

/* Looks for the first match at offset `from` (at most the subject's length) or later: at `from`
 * only, if the pattern is anchored. A match that ends at offset `refused` is passed over. A balance
 * may overdraw the steps by one pass over the subject. As in Lua, what is wrong with a pattern is
 * only noticed where matching gets that far. */
enum pattern_match_result pattern_match_search(struct pattern_match *m, size_t from,
                                               size_t refused);

#endif
