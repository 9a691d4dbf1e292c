/* string.find, match, gmatch and gsub of Lua 5.4, with an end.
 *
 * They do and say what those of Lua 5.4 do, but
 *   - a call that takes too many steps (pattern_match.h) raises "pattern matching took more than N
 *     steps; …". N is PATTERNS_STEPS, and PATTERNS_STEPS_A_BYTE for each byte of the subject up to
 *     PATTERNS_BYTES, so that one simple pass over the longest message ends well. All matches of
 *     one gsub share them; each call of an iterator of gmatch has its own;
 *   - patterns are at most PATTERN_MATCH_BYTES long, and none is "too complex". Searches for plain
 *     text take any length, in time that grows with the two lengths' sum;
 *   - an iterator of gmatch may be called again after it raised an error;
 *   - classes are those of the C locale.
 *
 * Many steps count as many instructions: the count hook of the state, if it has one, is called each
 * time PATTERNS_STEPS_A_HOOK steps are over, between two matches. It may raise an error, but not
 * yield. A function that gsub calls may yield. */
#ifndef LUNASK_SCRIPT_PATTERNS_H
#define LUNASK_SCRIPT_PATTERNS_H

#include <lua.h>

enum {
    PATTERNS_STEPS = 4 * 1000 * 1000,
    PATTERNS_STEPS_A_BYTE = 4,
    PATTERNS_BYTES = 4 << 20,
    PATTERNS_STEPS_A_HOOK = 16 * 1024
};

/* Sets the four functions in the table on the top. They raise soon after `*stop` is no longer 0;
 * `stop` is borrowed for as long as the state lives, or NULL. [-0, +0, memory error] */
void patterns_open(lua_State *L, const volatile int *stop);

#endif
