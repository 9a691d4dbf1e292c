#include <lauxlib.h>

#include "base/mem.h"
#include "host/listen.h"

#include <stdlib.h>

int unit_listen(lua_State *L);

/* read(text) → host, port; or nil, why, the host that was there before and still is */
static int read(lua_State *L)
{
    struct bytes text;
    struct error error;
    char *host = mem_copy(BYTES("before"));
    int port = -1;
    text.p = luaL_checklstring(L, 1, &text.n);
    int result = listen_read(text, &host, &port, &error);
    if (result == 0) {
        lua_pushstring(L, host);
        lua_pushinteger(L, port);
    } else {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
    }
    lua_pushstring(L, host);
    free(host);
    return 3;
}

static int is_loopback(lua_State *L)
{
    lua_pushboolean(L, listen_is_loopback(luaL_checkstring(L, 1)));
    return 1;
}

int unit_listen(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"read", read}, {"is_loopback", is_loopback}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
