#include <lauxlib.h>

#include "cli/status_words.h"

int unit_status_words(lua_State *L);

/* write(json, address, now_s) → the words, the code; or the words, nil, the error */
static int write(lua_State *L)
{
    struct buf out = {0};
    struct error error;
    int result = status_words_write(bytes_of(luaL_checkstring(L, 1)), luaL_checkstring(L, 2),
                                    luaL_checkinteger(L, 3), &out, &error);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    if (result >= 0) {
        lua_pushinteger(L, result);
        return 2;
    }
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 3;
}

int unit_status_words(lua_State *L)
{
    static const luaL_Reg functions[] = {{"write", write}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
