#include <lauxlib.h>

#include "base/bytes.h"

int unit_bytes(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static int split(lua_State *L)
{
    struct bytes rest = check_bytes(L, 1);
    struct bytes part;
    lua_newtable(L);
    for (lua_Integer i = 1; bytes_split(&rest, *luaL_checkstring(L, 2), &part); i++) {
        lua_pushlstring(L, part.p, part.n);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static int trim(lua_State *L)
{
    struct bytes b = bytes_trim(check_bytes(L, 1));
    lua_pushlstring(L, b.p, b.n);
    return 1;
}

static int compare(lua_State *L)
{
    int order = bytes_compare(check_bytes(L, 1), check_bytes(L, 2));
    lua_pushinteger(L, (order > 0) - (order < 0));
    return 1;
}

static int equal_nocase(lua_State *L)
{
    lua_pushboolean(L, bytes_equal_nocase(check_bytes(L, 1), check_bytes(L, 2)));
    return 1;
}

int unit_bytes(lua_State *L)
{
    static const luaL_Reg functions[] = {{"split", split},
                                         {"trim", trim},
                                         {"compare", compare},
                                         {"equal_nocase", equal_nocase},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
