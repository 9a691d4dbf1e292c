/* What holds a script: the heap it may fill and the CPU time it may use.
 *
 * The heap is counted by the allocator of the VM. CPU time is counted by a hook every
 * LIMITS_HOOK_EVERY instructions; once it is used up the hook yields the thread away, never to be
 * resumed, or, where it can't (a load, a comparator, a callback), raises at every instruction: a
 * pcall in the script gains nothing. What does much in few instructions is seen to as well: the
 * clock is read once for LIMITS_BYTES_EVERY allocated, and when an allocation fails, which has cost
 * a collection of the whole heap. */
#ifndef LUNASK_SCRIPT_LIMITS_H
#define LUNASK_SCRIPT_LIMITS_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

enum { LIMITS_HOOK_EVERY = 10000, LIMITS_BYTES_EVERY = 1024 * 1024 };

struct limits {
    size_t used, most;  /* bytes of the heap */
    int64_t cpu_us;     /* budget of a load, and of a run from one question to the next */
    int64_t left_us;    /* of the budget, when it was started */
    int64_t until_us;   /* clock_cpu_us at which the budget ends; 0 until the first hook, since
                           reading that clock is a system call that short runs must not pay for */
    lua_State *running; /* the thread that the budget is for now, or NULL */
    size_t allocated;   /* bytes since the clock was read */
    bool memory_hit, cpu_hit;
};

/* Returns a new state whose allocator counts in `l`, or NULL when out of memory. `l` must outlive
 * it and is found again by limits_of. */
lua_State *limits_new_state(struct limits *l);
struct limits *limits_of(lua_State *L);

/* Starts a budget of `cpu_us` for `L` (a coroutine or the main thread). limits_stop returns what
 * is left of it, 0 at least: a run that waits for the store goes on with that. */
void limits_start(lua_State *L, int64_t cpu_us);
int64_t limits_stop(lua_State *L);

/* Raises if the budget is used up: for C code that does much in one instruction. */
void limits_check(lua_State *L);

/* Returns what stopped the code that ended with the error on the top of `L`, in words that name the
 * key to change, or NULL if no limit did. An allocation that failed is not enough: the collector
 * may have made room since, or the script may have gone on without. Borrowed; a static text. */
const char *limits_hit(lua_State *L);

#endif
