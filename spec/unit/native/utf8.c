#include <lauxlib.h>

#include "wire/utf8.h"

int unit_utf8(lua_State *L);

static struct bytes check_bytes(lua_State *L)
{
    struct bytes b;
    b.p = luaL_checklstring(L, 1, &b.n);
    return b;
}

static int valid(lua_State *L)
{
    lua_pushboolean(L, utf8_valid(check_bytes(L)));
    return 1;
}

static int length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)utf8_length(check_bytes(L)));
    return 1;
}

/* next(text) -> code, bytes left | nil, bytes left */
static int next(lua_State *L)
{
    struct bytes rest = check_bytes(L);
    uint32_t code;
    if (utf8_next(&rest, &code))
        lua_pushinteger(L, code);
    else
        lua_pushnil(L);
    lua_pushinteger(L, (lua_Integer)rest.n);
    return 2;
}

static int encode(lua_State *L)
{
    char out[4];
    size_t n = utf8_encode((uint32_t)luaL_checkinteger(L, 1), out);
    lua_pushlstring(L, out, n);
    return 1;
}

int unit_utf8(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"valid", valid}, {"length", length}, {"next", next}, {"encode", encode}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
