#include <lauxlib.h>
#include <stdlib.h>

#include "base/mem.h"
#include "call/base64url.h"

int unit_base64url(lua_State *L);

static int add(lua_State *L)
{
    size_t n;
    const char *p = luaL_checklstring(L, 1, &n);
    struct buf out = {0};
    base64url_add(&out, p, n);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 1;
}

/* read(text, room) -> bytes, or nil */
static int read_text(lua_State *L)
{
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    size_t room = (size_t)luaL_checkinteger(L, 2);
    char *to = mem_alloc(room); /* of its own, so that a sanitizer sees a byte too many */
    size_t n;
    if (base64url_read(text, to, room, &n) == 0)
        lua_pushlstring(L, to, n);
    else
        lua_pushnil(L);
    free(to);
    return 1;
}

int unit_base64url(lua_State *L)
{
    static const luaL_Reg functions[] = {{"add", add}, {"read", read_text}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
