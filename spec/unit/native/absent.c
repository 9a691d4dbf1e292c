#include <lauxlib.h>

#include "script/absent.h"

int unit_absent(lua_State *L);

static int advice(lua_State *L)
{
    lua_pushstring(L, absent_advice(bytes_of(luaL_checkstring(L, 1))));
    return 1;
}

/* explain(message, line) → what is added to it */
static int explain(lua_State *L)
{
    struct buf out = {0};
    absent_explain(bytes_of(luaL_checkstring(L, 1)), bytes_of(luaL_optstring(L, 2, NULL)), &out);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 1;
}

int unit_absent(lua_State *L)
{
    static const luaL_Reg functions[] = {{"advice", advice}, {"explain", explain}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
