#include <lauxlib.h>
#include <stdio.h>

#include "call/elicitations.h"

int unit_elicitations(lua_State *L);

/* add(n) → the ids of n elicitations, and the key and the params of the newest */
static int add(lua_State *L)
{
    struct elicitations all = {0};
    lua_Integer n = luaL_checkinteger(L, 1);
    lua_newtable(L);
    for (lua_Integer i = 1; i <= n; i++) {
        char params[32];
        lua_Integer written = snprintf(params, sizeof params, "{\"n\":%d}", (int)i);
        struct bytes key = {params + 5, (size_t)(written - 6)}; /* gone when the list is read */
        lua_pushstring(L, elicitations_add(&all, key, bytes_of(params))->id);
        lua_rawseti(L, -2, i);
    }
    lua_pushstring(L, all.first ? all.first->key : NULL);
    lua_pushstring(L, all.first ? all.first->params : NULL);
    elicitations_free(&all);
    lua_pushboolean(L, all.first == NULL);
    return 4;
}

int unit_elicitations(lua_State *L)
{
    static const luaL_Reg functions[] = {{"add", add}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
