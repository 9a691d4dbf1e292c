#include <lauxlib.h>

#include "wire/json_keys.h"

int unit_json_keys(lua_State *L);

/* sort(object) -> list of keys */
static int sort(lua_State *L)
{
    struct bytes text;
    struct arena arena = {0};
    struct json_error error;
    struct json_keys keys;
    text.p = luaL_checklstring(L, 1, &text.n);
    const struct json *object = json_parse(&arena, text, &JSON_LIMITS, &error);
    if (!object) {
        arena_free(&arena);
        return luaL_error(L, "no JSON: %s", error.reason);
    }
    json_keys_sort(&keys, object);
    lua_newtable(L);
    for (uint32_t i = 0; i < keys.count; i++) {
        lua_pushlstring(L, keys.at[i]->text.p, keys.at[i]->text.n);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    json_keys_free(&keys);
    arena_free(&arena);
    return 1;
}

int unit_json_keys(lua_State *L)
{
    static const luaL_Reg functions[] = {{"sort", sort}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
