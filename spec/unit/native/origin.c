#include <lauxlib.h>

#include "wire/origin.h"

int unit_origin(lua_State *L);

/* nil is an absent header */
static struct bytes opt_bytes(lua_State *L, int at)
{
    struct bytes b = {NULL, 0};
    b.p = luaL_optlstring(L, at, NULL, &b.n);
    return b;
}

static int list(lua_State *L)
{
    struct origin_list *origins = origin_list_new(luaL_optstring(L, 1, NULL));
    lua_newtable(L);
    for (size_t i = 0; i < origin_list_count(origins); i++) {
        lua_pushstring(L, origin_list_at(origins, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    origin_list_free(origins);
    return 1;
}

static int allowed(lua_State *L)
{
    struct origin_list *origins = origin_list_new(luaL_optstring(L, 1, NULL));
    lua_pushboolean(L, origin_allowed(origins, opt_bytes(L, 2)));
    origin_list_free(origins);
    return 1;
}

/* reduce(url) gives nil for what is no origin, and raises if that left something in the buffer */
static int reduce(lua_State *L)
{
    struct buf out = {0};
    int rc = origin_reduce(opt_bytes(L, 1), &out);
    size_t n = out.n;

    if (rc == 0)
        lua_pushlstring(L, out.p, out.n);
    else
        lua_pushnil(L);
    buf_free(&out);
    return rc != 0 && n > 0 ? luaL_error(L, "a failed reduction left %d bytes", (int)n) : 1;
}

static int host_allowed(lua_State *L)
{
    const char *names[8] = {NULL};
    lua_Integer n = lua_istable(L, 2) ? luaL_len(L, 2) : 0;

    luaL_argcheck(L, n < 8, 2, "too many names");
    for (lua_Integer i = 0; i < n; i++) {
        lua_rawgeti(L, 2, i + 1);
        names[i] = luaL_checkstring(L, -1);
    }
    lua_pushboolean(L, origin_host_allowed(opt_bytes(L, 1), n > 0 ? names : NULL));
    return 1;
}

int unit_origin(lua_State *L)
{
    static const luaL_Reg functions[] = {{"list", list},
                                         {"allowed", allowed},
                                         {"reduce", reduce},
                                         {"host_allowed", host_allowed},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
