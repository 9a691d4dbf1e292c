#include "call/counters.h"

#include <lauxlib.h>

int unit_counters(lua_State *L);

/* kinds() → {{name, help}, …} in their order */
static int kinds(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; i < COUNTERS; i++) {
        lua_newtable(L);
        lua_pushstring(L, counters_name((enum counter)i));
        lua_rawseti(L, -2, 1);
        lua_pushstring(L, counters_help((enum counter)i));
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

int unit_counters(lua_State *L)
{
    static const luaL_Reg functions[] = {{"kinds", kinds}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
