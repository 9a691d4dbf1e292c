#include <lauxlib.h>

#include "wire/sse.h"

int unit_sse(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static int push_and_free(lua_State *L, struct buf *out)
{
    lua_pushlstring(L, buf_text(out), out->n);
    buf_free(out);
    return 1;
}

static int event(lua_State *L)
{
    struct buf out = {0};
    sse_write_event(&out, check_bytes(L, 1), check_bytes(L, 2));
    return push_and_free(L, &out);
}

static int keepalive(lua_State *L)
{
    struct buf out = {0};
    sse_write_keepalive(&out);
    return push_and_free(L, &out);
}

int unit_sse(lua_State *L)
{
    static const luaL_Reg functions[] = {{"event", event}, {"keepalive", keepalive}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
