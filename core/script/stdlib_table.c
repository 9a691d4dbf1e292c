#include "script/stdlib_table.h"

#include "script/limits.h"

#include <lauxlib.h>

enum { MOST_ELEMENTS = 4 * 1024 * 1024, MANY_ELEMENTS = 1024 };

static void check_range(lua_State *L, int arg, lua_Unsigned n)
{
    luaL_argcheck(L, n <= MOST_ELEMENTS, arg, "more than 4194304 elements");
    if (n >= MANY_ELEMENTS) limits_check(L);
}

/* The original function runs in this very frame: its errors name the script's line. */
static int original(lua_State *L)
{
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* With a __len, or with keys chosen for it, `#` tells any number that it likes. */
static int by_length(lua_State *L)
{
    if (lua_istable(L, 1)) {
        if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
            return luaL_argerror(L, 1, "a table with __len can't be used here");
        check_range(L, 1, lua_rawlen(L, 1));
    }
    return original(L);
}

static void check_between(lua_State *L, int arg, lua_Integer first, lua_Integer last)
{
    if (last >= first) check_range(L, arg, (lua_Unsigned)last - (lua_Unsigned)first);
}

static int move(lua_State *L)
{
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    check_between(L, 3, first, last);
    return original(L);
}

static int concat(lua_State *L)
{
    if (!lua_isnoneornil(L, 4))
        check_between(L, 4, luaL_optinteger(L, 3, 1), luaL_checkinteger(L, 4));
    return by_length(L);
}

void stdlib_table_bound(lua_State *L)
{
    static const luaL_Reg bounded[] = {
        {"concat", concat},  {"insert", by_length}, {"move", move}, {"remove", by_length},
        {"sort", by_length}, {"unpack", by_length}, {NULL, NULL},
    };
    for (const luaL_Reg *f = bounded; f->name; f++) {
        lua_getfield(L, -1, f->name);
        lua_pushcclosure(L, f->func, 1);
        lua_setfield(L, -2, f->name);
    }
}
