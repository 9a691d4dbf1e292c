#include <lauxlib.h>

#include "wire/headers.h"

int unit_headers(lua_State *L);

/* nil is an absent header */
static struct bytes opt_bytes(lua_State *L, int at)
{
    struct bytes b = {NULL, 0};
    b.p = luaL_optlstring(L, at, NULL, &b.n);
    return b;
}

static int is_json(lua_State *L)
{
    lua_pushboolean(L, headers_is_json(opt_bytes(L, 1)));
    return 1;
}

static int accepts(lua_State *L)
{
    lua_pushboolean(L, headers_accepts(opt_bytes(L, 1), opt_bytes(L, 2)));
    return 1;
}

/* decode(value) gives the decoded text behind "<", so that what a failure leaves can be seen */
static int decode(lua_State *L)
{
    struct buf out = {0};
    int rc;

    buf_addc(&out, '<');
    rc = headers_decode_value(opt_bytes(L, 1), &out);
    lua_pushboolean(L, rc == 0);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 2;
}

int unit_headers(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"is_json", is_json}, {"accepts", accepts}, {"decode", decode}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
