#include <lauxlib.h>

#include "base/error.h"

int unit_error(lua_State *L);

/* set(text, number) → what error_set returned for "%s (%d)", and the text it left */
static int set(lua_State *L)
{
    struct error error;
    int result = error_set(&error, "%s (%d)", luaL_checkstring(L, 1), (int)luaL_checkinteger(L, 2));
    lua_pushinteger(L, result);
    lua_pushstring(L, error.text);
    return 2;
}

static int set_nowhere(lua_State *L)
{
    lua_pushinteger(L, error_set(NULL, "%s", "lost"));
    return 1;
}

int unit_error(lua_State *L)
{
    static const luaL_Reg functions[] = {{"set", set}, {"set_nowhere", set_nowhere}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
