#include "script/stdlib_meta.h"

#include <stdbool.h>
#include <string.h>

static const char ORIGINAL = 0; /* its address is the copy's key for the table it was made from */

static void check_name(lua_State *L, const char *name)
{
    static const char *const refused[] = {"__gc",     "__close",     "__mode",
                                          "__concat", "__metatable", "__name"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(name, refused[i]) == 0)
            luaL_error(L, "setmetatable: a metatable can't have %s here", name);
}

/* Pushes a copy of the metamethods of the table at `at`. [-0, +1] */
static void push_copy(lua_State *L, int at)
{
    lua_createtable(L, 0, 4);
    lua_pushnil(L);
    while (lua_next(L, at)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (strncmp(name, "__", 2) == 0) {
            check_name(L, name);
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, -4);
        } else {
            lua_pop(L, 1);
        }
    }
    lua_pushvalue(L, at);
    lua_rawsetp(L, -2, &ORIGINAL);
}

static int set(lua_State *L)
{
    int type = lua_type(L, 2);
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    lua_settop(L, 2);
    if (type == LUA_TTABLE) push_copy(L, 2);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

/* Strings share one metatable, and errors of the host's have theirs: a script reaches none but its
 * own. */
static int get(lua_State *L)
{
    luaL_checkany(L, 1);
    if (!lua_istable(L, 1) || !lua_getmetatable(L, 1) ||
        lua_rawgetp(L, -1, &ORIGINAL) != LUA_TTABLE)
        lua_pushnil(L);
    return 1;
}

const luaL_Reg STDLIB_META[] = {{"getmetatable", get}, {"setmetatable", set}, {NULL, NULL}};
