/* What `require` reaches: mcp, json, cjson, and the modules in the lib/ folder beside the scripts.
 * A module is loaded once a VM; scripts share nothing. */
#ifndef LUNASK_SCRIPT_MODULES_H
#define LUNASK_SCRIPT_MODULES_H

#include <lua.h>

/* Adds `require` to the globals of a new state. [-0, +0, memory error] */
void modules_open(lua_State *L);

/* Makes the value on the top the module `name`. [-1, +0, memory error] */
void modules_set(lua_State *L, const char *name);

#endif
