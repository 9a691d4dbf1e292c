#include <lauxlib.h>

#include "cli/supervise.h"

int unit_supervise(lua_State *L);

/* pause_ms(crashes) → ms */
static int pause_ms(lua_State *L)
{
    lua_pushinteger(L, supervise_pause_ms((int)luaL_checkinteger(L, 1)));
    return 1;
}

int unit_supervise(lua_State *L)
{
    static const luaL_Reg functions[] = {{"pause_ms", pause_ms}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
