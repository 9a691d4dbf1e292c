#include <lauxlib.h>

#include "wire/lines.h"

int unit_lines(lua_State *L);

/* [-0, +0]; adds what was found to the table at `at`: a line, or false for one that is too long */
static void add(lua_State *L, int at, enum lines_found found, struct bytes line)
{
    if (found == LINES_ONE)
        lua_pushlstring(L, line.p, line.n);
    else
        lua_pushboolean(L, false);
    lua_rawseti(L, at, (lua_Integer)lua_rawlen(L, at) + 1);
}

/* read(most, piece, …) → what was found in the pieces and at their end; the bytes held before that
 */
static int read(lua_State *L)
{
    struct lines l = {.most = (size_t)luaL_checkinteger(L, 1)};
    struct bytes line = {NULL, 0};
    enum lines_found found;
    int pieces = lua_gettop(L);
    lua_newtable(L);
    for (int i = 2; i <= pieces; i++) {
        struct bytes rest;
        rest.p = luaL_checklstring(L, i, &rest.n);
        while ((found = lines_next(&l, &rest, &line)) != LINES_NONE)
            add(L, pieces + 1, found, line);
    }
    lua_pushinteger(L, (lua_Integer)l.held.n);
    found = lines_end(&l, &line);
    if (found != LINES_NONE) add(L, pieces + 1, found, line);
    lines_free(&l);
    return 2;
}

int unit_lines(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
