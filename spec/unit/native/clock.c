#include <lauxlib.h>

#include "base/clock.h"

int unit_clock(lua_State *L);

static int mono_ms(lua_State *L)
{
    lua_pushinteger(L, clock_mono_ms());
    return 1;
}

static int mono_us(lua_State *L)
{
    lua_pushinteger(L, clock_mono_us());
    return 1;
}

static int wall_ms(lua_State *L)
{
    lua_pushinteger(L, clock_wall_ms());
    return 1;
}

static int cpu_us(lua_State *L)
{
    lua_pushinteger(L, clock_cpu_us());
    return 1;
}

int unit_clock(lua_State *L)
{
    static const luaL_Reg functions[] = {{"mono_ms", mono_ms},
                                         {"mono_us", mono_us},
                                         {"wall_ms", wall_ms},
                                         {"cpu_us", cpu_us},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
