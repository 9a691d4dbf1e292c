#include <lauxlib.h>

#include "script/grants_http.h"

int unit_grants_http(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes text;
    text.p = luaL_checklstring(L, at, &text.n);
    return text;
}

static int push_text(lua_State *L, int result, struct buf *text, const struct error *error)
{
    if (result == 0)
        lua_pushlstring(L, text->p, text->n);
    else
        lua_pushnil(L);
    if (result != 0) lua_pushstring(L, error->text);
    buf_free(text);
    return result == 0 ? 1 : 2;
}

/* read(text) → the grant as it is kept | nil, why */
static int read(lua_State *L)
{
    struct error error;
    struct buf out = {0};
    int result = grants_http_read(check_bytes(L, 1), &out, &error);
    return push_text(L, result, &out, &error);
}

/* origin(url) → origin | nil, why */
static int origin(lua_State *L)
{
    struct error error;
    struct buf out = {0};
    int result = grants_http_origin(check_bytes(L, 1), "ctx:fetch", &out, &error);
    return push_text(L, result, &out, &error);
}

/* covers(kept, origin), any_address(kept) → boolean */
static int covers(lua_State *L)
{
    lua_pushboolean(L, grants_http_covers(check_bytes(L, 1), check_bytes(L, 2)));
    return 1;
}

static int any_address(lua_State *L)
{
    lua_pushboolean(L, grants_http_any_address(check_bytes(L, 1)));
    return 1;
}

int unit_grants_http(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read},
                                         {"origin", origin},
                                         {"covers", covers},
                                         {"any_address", any_address},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
