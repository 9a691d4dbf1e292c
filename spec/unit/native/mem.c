#include <lauxlib.h>

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int unit_mem(lua_State *L);

/* alloc(n) → n zero bytes as a string */
static int alloc(lua_State *L)
{
    size_t n = (size_t)luaL_checkinteger(L, 1);
    char *p = mem_alloc(n);
    lua_pushlstring(L, p, n);
    free(p);
    return 1;
}

/* realloc(text, n) → the first n bytes of it after a reallocation */
static int resize(lua_State *L)
{
    struct bytes b;
    b.p = luaL_checklstring(L, 1, &b.n);
    size_t n = (size_t)luaL_checkinteger(L, 2);
    char *p = mem_realloc(mem_copy(b), n);
    lua_pushlstring(L, p, n < b.n ? n : b.n);
    free(p);
    return 1;
}

/* copy(text) → the copy, and whether a NUL follows it */
static int copy(lua_State *L)
{
    struct bytes b;
    b.p = luaL_checklstring(L, 1, &b.n);
    char *p = mem_copy(b);
    lua_pushlstring(L, p, b.n);
    lua_pushboolean(L, p[b.n] == '\0');
    free(p);
    return 2;
}

int unit_mem(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"alloc", alloc}, {"realloc", resize}, {"copy", copy}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
