#include "script/engine.h"

#include <lauxlib.h>

int unit_engine(lua_State *L);

static int version(lua_State *L)
{
    lua_pushstring(L, engine_version());
    return 1;
}

int unit_engine(lua_State *L)
{
    static const luaL_Reg functions[] = {{"version", version}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
