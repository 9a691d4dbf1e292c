/* What holds a script: the heap it may fill and the CPU time it may use.
 *
 * The heap is the VM's own (base/heap.h). CPU time is looked at by the ticks of the watchdog: the
 * tick that finds the budget used up arms a hook, which yields the thread away, never to be
 * resumed, or, where it can't (a load, a comparator), raises at every instruction: a
 * pcall in the script gains nothing. The tick before that arms a hook that yields the run to the
 * loop for a moment, so that a long one does not keep others waiting. If the script is not back
 * LIMITS_GRACE_MS after its budget, it sits in one endless instruction or C call: the tick jumps
 * out of it, and the VM, which may be in any state then, is dropped whole (limits_escaped).
 *
 * A run that does not come back to the loop hides from it that its client has left. So its ticks
 * look at the client's socket, too, and stop it like one whose budget is used up. They never jump
 * for that: a client that leaves must not cost others the calls that wait in the same VM.
 *
 * Memory that belongs to the host must not be lost or half-written by such a jump: the host's
 * primitives are shielded (limits_shield). */
#ifndef LUNASK_SCRIPT_LIMITS_H
#define LUNASK_SCRIPT_LIMITS_H

#include <lauxlib.h>
#include <lua.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LIMITS_GRACE_MS = 50,
    LIMITS_RESERVE_BYTES = 1024 * 1024, /* of heap, for the host's own work in a full VM */
    LIMITS_FAILED_ALLOCATIONS = 16,     /* of a run; each has cost a collection of the whole heap */
};

struct heap;
struct watchdog;

struct limits {
    struct heap *heap;
    size_t most; /* bytes of it that are the script's */
    struct watchdog *watchdog;
    int64_t cpu_us;               /* budget of a load, and of a run from one question to the next */
    int64_t left_us;              /* of the budget, when it was started */
    volatile int64_t until_us;    /* clock_cpu_us at which it ends; 0 until the first tick */
    lua_State *volatile current;  /* the innermost coroutine that runs, or NULL */
    bool yieldable;               /* every coroutine around it can yield too */
    bool sliced;                  /* it has yielded to the loop, and only that */
    bool slices;                  /* it may */
    int64_t slice_us;             /* not before this time of clock_cpu_us */
    int hangup_fd;                /* once its other end has hung up, the run is stopped; or -1 */
    bool abandoned;               /* it was */
    const char *volatile stopped; /* the limit that ends it, or NULL */
    volatile int stop;            /* not 0 as soon as `stopped` is set: for loops in C */
    bool memory_hit;              /* an allocation was refused */
    volatile int shielded;        /* the host's own code is on the C stack: no jump */
    volatile int can_escape;
    sigjmp_buf escape;
    bool dead; /* jumped out of: nothing of the state may be touched but the heap's end */
};

/* Returns a new state with a heap of `most` bytes, or NULL when out of memory. `l` must outlive it
 * and is found again by limits_of. */
lua_State *limits_new_state(struct limits *l, size_t most);
struct limits *limits_of(lua_State *L);

/* Closes the state, or drops its heap if it is dead. */
void limits_close(struct limits *l, lua_State *L);

/* Opens and closes the reserve of the heap, for the host's own work. */
void limits_use_reserve(struct limits *l, bool on);

/* Starts a budget of `cpu_us` for `L` (a coroutine or the main thread). limits_stop returns what is
 * left of it, 0 at least: a run that waits for the store goes on with that. `hangup_fd` is a socket
 * or -1. The clock is read at the first tick, as most code ends before it, unless the code
 * `is_long`: then that pays, and so do slices of WATCHDOG_SLICE_MS. */
void limits_start(lua_State *L, int64_t cpu_us, int hangup_fd, bool is_long);
int64_t limits_stop(struct limits *l);

/* The place that a tick jumps to. Use it as
 *   if (limits_escaped(l)) { …the VM is dead… } else { …run the script… }
 * in the function that calls limits_start and limits_stop around it. */
#define limits_escaped(l) (sigsetjmp((l)->escape, 0) != 0)

/* Call it first when a tick has jumped: marks the VM as dead. */
void limits_bury(struct limits *l);

/* Raises if the budget is used up: for C code that does much in one instruction. */
void limits_check(lua_State *L);

/* Raises what Lua raises for want of memory unless there is room for `n` bytes, with some to spare:
 * before C code that would lose its own memory if Lua raised in the middle of it. */
void limits_need(lua_State *L, size_t n);

/* Collects what can be, then tells whether what stays fills more than half of the heap. */
bool limits_crowded(struct limits *l, lua_State *L);

/* Collects what loading has left and gives its pages back: the VM may be idle for long. */
void limits_tidy(struct limits *l, lua_State *L);

/* Pushes `f` so that no tick jumps out of it while it runs. [-0, +1, memory error] */
void limits_shield(lua_State *L, lua_CFunction f);

/* Adds shielded functions to the table on the top. [-0, +0, memory error] */
void limits_set_shielded(lua_State *L, const luaL_Reg *functions);

/* Ends the shield early: before a shielded function yields. */
void limits_unshield(lua_State *L);

/* Ends a run that was stopped, for a C function: yields it away or, where it can't, raises what a
 * pcall of ours passes on. Does not return. */
int limits_raise(lua_State *L);

/* Returns what stopped the code that ended with the error on the top of `L`, in words that name the
 * key to change, or NULL if no limit did. An allocation that failed is not enough: the collector
 * may have made room since, or the script may have gone on without. Borrowed; a static text. */
const char *limits_hit(lua_State *L);

/* Whether what limits_hit returned is about memory. */
bool limits_is_memory(const char *hit);

/* Tells whether the other end of a socket has hung up; false for -1. Async-signal-safe. */
bool limits_hung_up(int fd);

/* The watchdog's: looks at a running VM. Async-signal-safe. */
void limits_tick(struct limits *l);

#endif
