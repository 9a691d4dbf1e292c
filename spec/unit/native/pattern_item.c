#include <lauxlib.h>

#include "base/mem.h"
#include "script/pattern_item.h"

#include <stdlib.h>
#include <string.h>

int unit_pattern_item(lua_State *L);

/* finish(pattern) -> the length of the item that the pattern begins with, or nil */
static int finish(lua_State *L)
{
    size_t n;
    const char *p = luaL_checklstring(L, 1, &n);
    luaL_argcheck(L, n > 0, 1, "an item has a byte at least");
    /* Exactly its length, for ASan to watch the end. */
    char *copy = memcpy(mem_realloc(NULL, n), p, n);
    struct pattern_item item = pattern_item_at(copy, copy + n);
    if (item.end)
        lua_pushinteger(L, item.end - item.p);
    else
        lua_pushnil(L);
    free(copy);
    return 1;
}

static struct pattern_item check_item(lua_State *L, int at)
{
    size_t n;
    const char *p = luaL_checklstring(L, at, &n);
    luaL_argcheck(L, n > 0, at, "an item has a byte at least");
    struct pattern_item item = pattern_item_at(p, p + n);
    luaL_argcheck(L, item.end == p + n, at, "not one item");
    return item;
}

/* bytes(item) -> all the bytes it has */
static int bytes(lua_State *L)
{
    struct pattern_item item = check_item(L, 1);
    luaL_Buffer all;
    luaL_buffinit(L, &all);
    for (int c = 0; c < 256; c++)
        if (pattern_item_has(item, (unsigned char)c)) luaL_addchar(&all, (char)c);
    luaL_pushresult(&all);
    return 1;
}

/* run(item, text, has) -> the length of the run at the text's beginning */
static int run(lua_State *L)
{
    struct pattern_item item = check_item(L, 1);
    size_t n;
    const char *text = luaL_checklstring(L, 2, &n);
    lua_pushinteger(L, pattern_item_run(item, text, text + n, lua_toboolean(L, 3)) - text);
    return 1;
}

static int cost(lua_State *L)
{
    lua_pushinteger(L, pattern_item_cost(check_item(L, 1)));
    return 1;
}

int unit_pattern_item(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"finish", finish}, {"bytes", bytes}, {"run", run}, {"cost", cost}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
