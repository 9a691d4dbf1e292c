#include <lauxlib.h>

#include "wire/json_number.h"

int unit_json_number(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

/* scan(text) -> size, integer | nil, reason, at */
static int scan(lua_State *L)
{
    struct json_error error;
    size_t size;
    bool integer;
    if (json_number_scan(check_bytes(L, 1), &size, &integer, &error) != 0) {
        lua_pushnil(L);
        lua_pushstring(L, error.reason);
        lua_pushinteger(L, (lua_Integer)error.at);
        return 3;
    }
    lua_pushinteger(L, (lua_Integer)size);
    lua_pushboolean(L, integer);
    return 2;
}

static int integer(lua_State *L)
{
    struct json_number n = json_number_read(check_bytes(L, 1));
    int64_t value;
    if (json_number_int(&n, &value))
        lua_pushinteger(L, value);
    else
        lua_pushnil(L);
    return 1;
}

static int equal(lua_State *L)
{
    struct json_number a = json_number_read(check_bytes(L, 1));
    struct json_number b = json_number_read(check_bytes(L, 2));
    lua_pushboolean(L, json_number_equal(&a, &b));
    return 1;
}

static int normal(lua_State *L)
{
    struct json_number n = json_number_read(check_bytes(L, 1));
    struct buf out = {0};
    json_number_write(&out, &n);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 1;
}

int unit_json_number(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"scan", scan}, {"int", integer}, {"equal", equal}, {"normal", normal}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
