/* pcall, xpcall and the library `coroutine`, as scripts have them: the stock functions' behaviour,
 * except that nothing of them can hold a run that the host stops, slices or parks.
 *
 * A coroutine of a script that the host has to wait for (it asks, reads, or its time is up) yields
 * through every resume around it to the host, which later goes on with the innermost. So ctx:elicit
 * works in a coroutine, and no script sees a yield that it did not make. Left out, because
 * Lua 5.4.4 can be corrupted with them: close, running (which hands out the host's own coroutines).
 */
#ifndef LUNASK_SCRIPT_COROUTINES_H
#define LUNASK_SCRIPT_COROUTINES_H

#include <lua.h>
#include <stdbool.h>

/* pcall(f, …) */
int coroutines_pcall(lua_State *L);

/* xpcall(f, handler, …) */
int coroutines_xpcall(lua_State *L);

/* Pushes the library: create, isyieldable, resume, status, wrap, yield. [-0, +1, memory error] */
void coroutines_push(lua_State *L);

/* True if the running code, and every coroutine around it, can yield to the host. */
bool coroutines_can_wait(lua_State *L);

/* Yields to the host, and goes on with `k`. Call it as `return coroutines_wait(L, k)`. */
int coroutines_wait(lua_State *L, lua_KFunction k);

#endif
