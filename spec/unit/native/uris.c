#include "call/uris.h"

#include <lauxlib.h>

int unit_uris(lua_State *L);

#define TYPE "unit.uris"

static struct uris *check(lua_State *L)
{
    return luaL_checkudata(L, 1, TYPE);
}

static struct bytes check_uri(lua_State *L)
{
    struct bytes uri;
    uri.p = luaL_checklstring(L, 2, &uri.n);
    return uri;
}

static int new_uris(lua_State *L)
{
    struct uris *u = lua_newuserdatauv(L, sizeof *u, 0);
    *u = (struct uris){.n = 0};
    luaL_setmetatable(L, TYPE);
    return 1;
}

/* u:add(uri) → true, or nil and the error */
static int add(lua_State *L)
{
    struct error error;
    if (uris_add(check(L), check_uri(L), &error) != 0) {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    lua_pushboolean(L, true);
    return 1;
}

static int take_out(lua_State *L)
{
    uris_remove(check(L), check_uri(L));
    return 0;
}

static int has(lua_State *L)
{
    lua_pushboolean(L, uris_has(check(L), check_uri(L)));
    return 1;
}

static int count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check(L)->n);
    return 1;
}

static int finish(lua_State *L)
{
    uris_free(check(L));
    return 0;
}

int unit_uris(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_uris}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"add", add},     {"remove", take_out}, {"has", has},
                                       {"count", count}, {"__gc", finish},     {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    lua_pushinteger(L, URIS_MOST);
    lua_setfield(L, -2, "MOST");
    lua_pushinteger(L, URIS_BYTES);
    lua_setfield(L, -2, "BYTES");
    return 1;
}
