/* The part of Lua's library that scripts have, built up by name: nothing is there that is not named
 * here. What is left out, and why, stands in the table of stdlib.c. */
#ifndef LUNASK_SCRIPT_STDLIB_H
#define LUNASK_SCRIPT_STDLIB_H

#include <lua.h>

/* Fills the globals of a new state. [-0, +0, memory error] */
void stdlib_open(lua_State *L);

#endif
