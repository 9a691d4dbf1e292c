#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>

#include "script/patterns.h"

int unit_patterns(lua_State *L);

/* open([stopped]) -> a table of the four functions, whose host has stopped them or not */
static int open(lua_State *L)
{
    static const volatile int stopped = 1;
    const volatile int *stop = lua_toboolean(L, 1) ? &stopped : NULL;
    lua_newtable(L);
    patterns_open(L, stop);
    return 1;
}

struct heap {
    size_t used, most;
};

static void *allocate(void *data, void *block, size_t old_size, size_t new_size)
{
    struct heap *heap = data;
    size_t had = block ? old_size : 0;
    if (new_size > had && heap->used + new_size - had > heap->most) return NULL;
    void *moved = new_size > 0 ? realloc(block, new_size) : NULL;
    if (new_size == 0) free(block);
    heap->used = heap->used + new_size - had;
    return moved;
}

static int open_libraries(lua_State *L)
{
    luaL_requiref(L, "_G", luaopen_base, 1);
    luaL_requiref(L, "string", luaopen_string, 1);
    patterns_open(L, NULL);
    return 0;
}

/* run(code, bytes) -> what the code returned or raised, as a text; and how many bytes were still in
 * use once its state, which may not use more than `bytes`, was closed */
static int run(lua_State *L)
{
    struct heap heap = {0, (size_t)luaL_checkinteger(L, 2)};
    const char *code = luaL_checkstring(L, 1);
    lua_State *inside = lua_newstate(allocate, &heap);
    if (!inside) return luaL_error(L, "a state needs more memory");
    lua_pushcfunction(inside, open_libraries);
    if (lua_pcall(inside, 0, 0, 0) == LUA_OK && luaL_loadstring(inside, code) == LUA_OK)
        lua_pcall(inside, 0, 1, 0);
    lua_pushstring(L, lua_tostring(inside, -1));
    lua_close(inside);
    lua_pushinteger(L, (lua_Integer)heap.used);
    return 2;
}

int unit_patterns(lua_State *L)
{
    static const luaL_Reg functions[] = {{"open", open}, {"run", run}, {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_pushinteger(L, PATTERNS_STEPS);
    lua_setfield(L, -2, "STEPS");
    lua_pushinteger(L, PATTERNS_STEPS_A_BYTE);
    lua_setfield(L, -2, "STEPS_A_BYTE");
    lua_pushinteger(L, PATTERNS_BYTES);
    lua_setfield(L, -2, "BYTES");
    return 1;
}
