#include "registry.h"

#include "script/difference.h"

int unit_difference(lua_State *L);

/* Adds the line to the list on the top of the Lua stack. */
static void add_line(void *arg, const char *line)
{
    lua_State *L = arg;
    lua_pushstring(L, line);
    lua_rawseti(L, -2, luaL_len(L, -2) + 1);
}

/* tell(before, after) → list of lines, the lists that differ: 1 tools, 2 prompts, 4 resources */
static int tell(lua_State *L)
{
    struct generation *before = unit_registry_test(L, 1), *after = unit_registry_test(L, 2);
    luaL_argcheck(L, before && after, 1, "two generations");
    lua_newtable(L);
    unsigned lists = difference_tell(before, after, add_line, L);
    lua_pushinteger(L, lists);
    return 2;
}

int unit_difference(lua_State *L)
{
    static const luaL_Reg functions[] = {{"tell", tell}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
