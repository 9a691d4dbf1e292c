#include <lauxlib.h>

#include "base/buf.h"

#include <stdlib.h>

int unit_buf(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

/* Reads the text at the top of the stack from `b`, and leaves it empty. [-0, +1] */
static int push_and_free(lua_State *L, struct buf *b)
{
    struct bytes text = buf_bytes(b);
    lua_pushlstring(L, text.n ? text.p : "", text.n);
    buf_free(b);
    return 1;
}

/* join(text, …) → all of them, added one after the other */
static int join(lua_State *L)
{
    struct buf b = {0};
    for (int i = 1; i <= lua_gettop(L); i++)
        buf_add(&b, check_bytes(L, i));
    return push_and_free(L, &b);
}

/* repeated(char, times) → added byte by byte */
static int repeated(lua_State *L)
{
    struct buf b = {0};
    char c = *luaL_checkstring(L, 1);
    for (lua_Integer i = luaL_checkinteger(L, 2); i > 0; i--)
        buf_addc(&b, c);
    return push_and_free(L, &b);
}

static int integer(lua_State *L)
{
    struct buf b = {0};
    buf_add_int(&b, luaL_checkinteger(L, 1));
    return push_and_free(L, &b);
}

/* printed(text, number) → "before" and then both through the format "%s=%d;" */
static int printed(lua_State *L)
{
    struct buf b = {0};
    buf_addz(&b, "before ");
    buf_printf(&b, "%s=%d;", luaL_checkstring(L, 1), (int)luaL_checkinteger(L, 2));
    return push_and_free(L, &b);
}

/* text(data) → what buf_text gives for it, up to its NUL, and the number of bytes it then has */
static int text(lua_State *L)
{
    struct buf b = {0};
    buf_add(&b, check_bytes(L, 1));
    lua_pushstring(L, buf_text(&b));
    lua_pushinteger(L, (lua_Integer)b.n);
    buf_free(&b);
    return 2;
}

/* take(data) → it, its length, whether a NUL follows it, and whether the buf was left empty */
static int take(lua_State *L)
{
    struct buf b = {0};
    size_t n;
    buf_add(&b, check_bytes(L, 1));
    char *taken = buf_take(&b, &n);
    lua_pushlstring(L, taken, n);
    lua_pushinteger(L, (lua_Integer)n);
    lua_pushboolean(L, taken[n] == '\0');
    lua_pushboolean(L, !b.p && b.n == 0 && b.cap == 0);
    free(taken);
    return 4;
}

/* reserved(data, n) → whether data stayed, and n more bytes could be written behind it */
static int reserved(lua_State *L)
{
    struct buf b = {0};
    size_t n = (size_t)luaL_checkinteger(L, 2);
    buf_add(&b, check_bytes(L, 1));
    char *room = buf_reserve(&b, n);
    for (size_t i = 0; i < n; i++)
        room[i] = 'r';
    b.n += n;
    return push_and_free(L, &b);
}

/* cleared(first, second) → second, added after clearing, and whether the memory was kept */
static int cleared(lua_State *L)
{
    struct buf b = {0};
    buf_add(&b, check_bytes(L, 1));
    const char *before = b.p;
    buf_clear(&b);
    buf_add(&b, check_bytes(L, 2));
    lua_pushboolean(L, b.p == before);
    push_and_free(L, &b);
    lua_insert(L, -2);
    return 2;
}

int unit_buf(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"join", join},         {"repeated", repeated}, {"integer", integer},
        {"printed", printed},   {"text", text},         {"take", take},
        {"reserved", reserved}, {"cleared", cleared},   {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
