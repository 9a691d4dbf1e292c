/* A generation that Lua holds. */
#ifndef LUNASK_SPEC_REGISTRY_H
#define LUNASK_SPEC_REGISTRY_H

#include <lauxlib.h>

#include "script/registry.h"

/* Returns the generation of the userdata at `at`, or NULL if it is none. */
struct generation *unit_registry_test(lua_State *L, int at);

#endif
