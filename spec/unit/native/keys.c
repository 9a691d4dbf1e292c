#include <lauxlib.h>

#include "call/keys.h"

int unit_keys(lua_State *L);

/* Pushes the keys' ids and frees them, or pushes nil and the error. */
static int push_keys(lua_State *L, int status, struct seal_keys *keys, const struct error *error)
{
    if (status != 0) {
        lua_pushnil(L);
        lua_pushstring(L, error->text);
        lua_pushboolean(L, keys->keys == NULL && keys->n == 0);
        return 3;
    }
    lua_newtable(L);
    for (size_t i = 0; i < keys->n; i++) {
        lua_pushlstring(L, (const char *)keys->keys[i].id, KEYS_ID_BYTES);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    keys_free(keys);
    return 1;
}

static int read_keys(lua_State *L)
{
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    struct seal_keys keys;
    struct error error = {""};
    int status = keys_read(text, &keys, &error);
    return push_keys(L, status, &keys, &error);
}

static int load(lua_State *L)
{
    struct seal_keys keys;
    struct error error = {""};
    int status = keys_load(luaL_checkstring(L, 1), &keys, &error);
    return push_keys(L, status, &keys, &error);
}

static int fresh(lua_State *L)
{
    struct seal_keys keys;
    keys_fresh(&keys);
    return push_keys(L, 0, &keys, NULL);
}

int unit_keys(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"read", read_keys}, {"load", load}, {"fresh", fresh}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
