#include "script/host_table.h"

#include <lauxlib.h>

int unit_host_table(lua_State *L);

/* read(path): JSON text; or nil and the error */
static int read(lua_State *L)
{
    struct buf json = {0};
    struct error error;
    int result = host_table_read(luaL_checkstring(L, 1), &json, &error);
    if (result == 0)
        lua_pushlstring(L, json.p, json.n);
    else
        lua_pushnil(L);
    lua_pushstring(L, result == 0 ? NULL : error.text);
    buf_free(&json);
    return 2;
}

int unit_host_table(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
