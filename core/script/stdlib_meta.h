/* getmetatable and setmetatable for scripts.
 *
 * Finalizers run where no limit holds; weak tables, __close and __concat can corrupt the memory of
 * Lua 5.4.4. A script must not have them, also not by adding them to a metatable already set: what
 * is set is a copy of the metamethods, and getmetatable gives the table that was copied. A
 * metamethod added to it later is without effect until setmetatable is called again. */
#ifndef LUNASK_SCRIPT_STDLIB_META_H
#define LUNASK_SCRIPT_STDLIB_META_H

#include <lauxlib.h>

extern const luaL_Reg STDLIB_META[];

#endif
