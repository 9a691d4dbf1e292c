#include "wire/parameters.h"

#include <lauxlib.h>

int unit_parameters(lua_State *L);

/* decode(text, …) → the JSON of all of them, whether a bound was exceeded */
static int decode(lua_State *L)
{
    struct parameters p = {0};
    struct buf out = {0};
    for (int i = 1; i <= lua_gettop(L); i++) {
        struct bytes text;
        text.p = luaL_checklstring(L, i, &text.n);
        parameters_decode(&p, text);
    }
    parameters_write(&p, &out);
    lua_pushlstring(L, buf_text(&out), out.n);
    lua_pushboolean(L, p.over);
    parameters_free(&p);
    buf_free(&out);
    return 2;
}

/* add(name, value) → the JSON */
static int add(lua_State *L)
{
    struct parameters p = {0};
    struct buf out = {0};
    struct bytes name, value;
    name.p = luaL_checklstring(L, 1, &name.n);
    value.p = luaL_checklstring(L, 2, &value.n);
    parameters_add(&p, name, value);
    parameters_add(&p, name, BYTES("second"));
    parameters_write(&p, &out);
    lua_pushlstring(L, buf_text(&out), out.n);
    parameters_free(&p);
    buf_free(&out);
    return 1;
}

int unit_parameters(lua_State *L)
{
    static const luaL_Reg functions[] = {{"decode", decode}, {"add", add}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
