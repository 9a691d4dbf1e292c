/* What holds a script: the heap it may fill and the CPU time it may use.
 *
 * The heap is counted by the allocator of the VM. CPU time is counted by a hook every
 * LIMITS_HOOK_EVERY instructions; once it is used up the hook raises at every instruction, so that
 * a pcall in the script gains nothing. */
#ifndef LUNASK_SCRIPT_LIMITS_H
#define LUNASK_SCRIPT_LIMITS_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

enum { LIMITS_HOOK_EVERY = 10000 };

struct limits {
    size_t used, most; /* bytes of the heap */
    int64_t cpu_us;    /* budget of one run or one load */
    int64_t until_us;  /* clock_cpu_us at which the budget ends; 0 until the first hook, since
                          reading  that clock is a system call that short runs must not pay for */
    bool memory_hit, cpu_hit;
};

/* Returns a new state whose allocator counts in `l`, or NULL when out of memory. `l` must outlive
 * it and is found again by limits_of. */
lua_State *limits_new_state(struct limits *l);
struct limits *limits_of(lua_State *L);

/* Starts and stops the CPU budget around a run of `L` (a coroutine or the main thread). */
void limits_start(lua_State *L);
void limits_stop(lua_State *L);

/* Returns what stopped the last run, as a sentence naming the key to change, or NULL if no limit
 * did. Borrowed; one of two static texts. */
const char *limits_hit(const struct limits *l);

#endif
