/* The primitives that act on the run in progress: the C under core/prelude/context.lua.
 *
 * Each takes the ctx table first and refuses any that is not the running call's own, so that a
 * ctx kept from an earlier call can't act in a later one. */
#ifndef LUNASK_SCRIPT_API_CTX_H
#define LUNASK_SCRIPT_API_CTX_H

#include "script/run.h"

#include <lauxlib.h>

/* context(metatable) → the ctx of the run; describe(ctx) → table; supports(ctx, capability) →
 * boolean; get(ctx, collection, key) → value|nil; list(ctx, collection, limit, after|nil) → array;
 * count(ctx, collection) → integer; put(ctx, collection, key, value); append(ctx, collection,
 * value) → key; delete(ctx, collection, key), each with one argument more for the script whose
 * collection it is; env(ctx, name) → string|nil; file(ctx, path) → nil, text, or nil alone;
 * fetch(ctx, url, method, headers, body|nil) → { status, headers }, body; once(ctx, name) → known,
 * value; run_once(ctx, fn) → fn(), which can't ask; set_once(ctx, name, value); log(ctx, level,
 * data); cancelled(ctx) → boolean; progress(ctx, progress, { progress, total, message }). */
extern const luaL_Reg API_CTX[];

/* Returns the run in progress if the first argument is its own ctx, else raises. */
struct run *api_ctx_run(lua_State *L);

/* Raises where the running code can't wait. Before the host is asked: what it then said could not
 * be waited for. */
void api_ctx_check_wait(lua_State *L);

/* Ends a primitive with what the host made of it; the answer is in r->incoming. Call it as
 * `return api_ctx_settle(…)`. */
int api_ctx_settle(lua_State *L, struct run *r, enum run_answer answer, const struct error *error);

#endif
