#include <lauxlib.h>

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

int unit_arena(lua_State *L);

/* Fills each piece with its own number, and looks at all of them when the last one is made. */
static bool intact(char *const *pieces, const size_t *sizes, int n)
{
    for (int i = 0; i < n; i++)
        for (size_t at = 0; at < sizes[i]; at++)
            if (pieces[i][at] != (char)i) return false;
    return true;
}

/* pieces(size, …) → whether each was aligned for any type, and none overlaps another */
static int pieces(lua_State *L)
{
    enum { MOST = 64 };
    struct arena a = {0};
    char *made[MOST];
    size_t sizes[MOST];
    int n = lua_gettop(L);
    bool aligned = true;
    luaL_argcheck(L, n <= MOST, MOST, "too many");
    for (int i = 0; i < n; i++) {
        sizes[i] = (size_t)luaL_checkinteger(L, i + 1);
        made[i] = arena_alloc(&a, sizes[i]);
        aligned = aligned && (uintptr_t)made[i] % _Alignof(max_align_t) == 0;
        memset(made[i], i, sizes[i]);
    }
    lua_pushboolean(L, aligned);
    lua_pushboolean(L, intact(made, sizes, n));
    arena_free(&a);
    return 2;
}

/* zeroed(n) → whether n bytes are zero, in memory that was used before */
static int zeroed(lua_State *L)
{
    struct arena a = {0};
    size_t n = (size_t)luaL_checkinteger(L, 1);
    memset(arena_alloc(&a, n), 0xff, n);
    const char *p = arena_zalloc(&a, n);
    bool zero = true;
    for (size_t i = 0; i < n; i++)
        zero = zero && p[i] == 0;
    lua_pushboolean(L, zero);
    arena_free(&a);
    return 1;
}

/* copy(text) → the copy, and whether a NUL follows it */
static int copy(lua_State *L)
{
    struct arena a = {0};
    struct bytes b;
    b.p = luaL_checklstring(L, 1, &b.n);
    struct bytes copied = arena_copy(&a, b);
    lua_pushlstring(L, copied.p, copied.n);
    lua_pushboolean(L, copied.p[copied.n] == '\0' && copied.p != b.p);
    arena_free(&a);
    return 2;
}

/* reused() → whether an arena is empty after arena_free, and gives memory again */
static int reused(lua_State *L)
{
    struct arena a = {0};
    arena_alloc(&a, 100);
    arena_free(&a);
    bool empty = !a.blocks && a.left == 0;
    char *p = arena_alloc(&a, 100);
    memset(p, 1, 100);
    lua_pushboolean(L, empty && p[99] == 1);
    arena_free(&a);
    return 1;
}

int unit_arena(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"pieces", pieces}, {"zeroed", zeroed}, {"copy", copy}, {"reused", reused}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
