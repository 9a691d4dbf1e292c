#include <lauxlib.h>

#include "script/source_keys.h"

int unit_source_keys(lua_State *L);

/* line(text, key) → the line, or 0 */
static int line(lua_State *L)
{
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    lua_pushinteger(L, source_keys_line(text, bytes_of(luaL_checkstring(L, 2))));
    return 1;
}

int unit_source_keys(lua_State *L)
{
    static const luaL_Reg functions[] = {{"line", line}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
