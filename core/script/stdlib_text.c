#include "script/stdlib_text.h"

#include <lauxlib.h>
#include <string.h>

/* luaL_tolstring would also name what a metatable calls itself: scripts can't set that. */
void stdlib_text_push(lua_State *L, int at)
{
    if (luaL_callmeta(L, at, "__tostring")) {
        if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
        return;
    }
    switch (lua_type(L, at)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
    case LUA_TBOOLEAN:
    case LUA_TNIL:
        luaL_tolstring(L, at, NULL);
        break;
    default:
        lua_pushstring(L, luaL_typename(L, at));
    }
}

/* What a __tostring returned is on the top. */
static int told(lua_State *L, int status, lua_KContext extra)
{
    (void)status;
    (void)extra;
    if (!lua_isstring(L, -1)) return luaL_error(L, "'__tostring' must return a string");
    return 1;
}

int stdlib_text_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_callk(L, 1, 1, 0, told);
        return told(L, LUA_OK, 0);
    }
    stdlib_text_push(L, 1);
    return 1;
}

/* Turns what the conversions want as text into text beforehand, then lets the original, which is
 * the upvalue, do the rest in this very frame. */
static int format(lua_State *L)
{
    const char *p = luaL_checkstring(L, 1);
    int arguments = lua_gettop(L);
    int at = 1;
    while ((p = strchr(p, '%'))) {
        p++;
        if (*p == '%') {
            p++;
            continue;
        }
        p += strspn(p, "-+ #0123456789.");
        at++;
        if (*p == 'p') luaL_argerror(L, 1, "'%p' would tell an address: scripts get none");
        if (*p == 's' && at <= arguments && !lua_isstring(L, at)) {
            stdlib_text_push(L, at);
            lua_replace(L, at);
        }
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void stdlib_text_open_format(lua_State *L)
{
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, format, 1);
    lua_setfield(L, -2, "format");
}
