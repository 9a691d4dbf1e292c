#include <lauxlib.h>

#include "call/entropy.h"

int unit_entropy(lua_State *L);

/* take(sizes) -> the bytes taken for each size, from one pool that begins empty */
static int take(lua_State *L)
{
    struct entropy e = {0};
    lua_Integer n = luaL_len(L, 1);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 1; i <= n; i++) {
        unsigned char out[ENTROPY_BYTES];
        lua_geti(L, 1, i);
        size_t size = (size_t)luaL_checkinteger(L, -1);
        luaL_argcheck(L, size <= sizeof out, 1, "too large");
        entropy_take(&e, out, size);
        lua_pushlstring(L, (const char *)out, size);
        lua_seti(L, 2, i);
        lua_pop(L, 1);
    }
    return 1;
}

int unit_entropy(lua_State *L)
{
    static const luaL_Reg functions[] = {{"take", take}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
