#include <lauxlib.h>

#include "base/nearest.h"

int unit_nearest(lua_State *L);

enum { MOST = 15 };

static int name(lua_State *L)
{
    const char *names[MOST + 1] = {NULL};
    for (int i = 1; i <= MOST && lua_rawgeti(L, 2, i) == LUA_TSTRING; i++)
        names[i - 1] = lua_tostring(L, -1); /* [+1] kept: the strings stay alive */
    lua_pushstring(L, nearest_name(luaL_checkstring(L, 1), names));
    return 1;
}

int unit_nearest(lua_State *L)
{
    static const luaL_Reg functions[] = {{"name", name}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
