#include "methods/cursor.h"

#include <lauxlib.h>

int unit_cursor(lua_State *L);

static const char *const KINDS[] = {"tool", "prompt", "resource", "resource_template", NULL};

/* write(kind, key) → the cursor */
static int write(lua_State *L)
{
    struct buf out = {0};
    struct bytes key;
    enum offer_kind kind = (enum offer_kind)luaL_checkoption(L, 1, NULL, KINDS);
    key.p = luaL_checklstring(L, 2, &key.n);
    cursor_write(kind, key, &out);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 1;
}

/* read(kind, cursor) → the key, or nil */
static int read(lua_State *L)
{
    struct buf key = {0};
    struct bytes text;
    enum offer_kind kind = (enum offer_kind)luaL_checkoption(L, 1, NULL, KINDS);
    text.p = luaL_checklstring(L, 2, &text.n);
    if (cursor_read(text, kind, &key) == 0)
        lua_pushlstring(L, key.p, key.n);
    else
        lua_pushnil(L);
    buf_free(&key);
    return 1;
}

int unit_cursor(lua_State *L)
{
    static const luaL_Reg functions[] = {{"write", write}, {"read", read}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
