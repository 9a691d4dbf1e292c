#include <lauxlib.h>

#include "base/mem.h"
#include "wire/json_string.h"

#include <stdlib.h>
#include <string.h>

int unit_json_string(lua_State *L);

static int push_refusal(lua_State *L, const struct json_error *error)
{
    lua_pushnil(L);
    lua_pushstring(L, error->reason);
    lua_pushinteger(L, (lua_Integer)error->at);
    return 3;
}

/* scan(text) -> size, escaped | nil, reason, at */
static int scan(lua_State *L)
{
    struct bytes text;
    struct json_error error;
    size_t size;
    bool escaped;
    text.p = luaL_checklstring(L, 1, &text.n);
    /* Exactly its length, for ASan to watch the end. */
    char *copy = memcpy(mem_realloc(NULL, text.n), text.p, text.n);
    int failed = json_string_scan((struct bytes){copy, text.n}, &size, &escaped, &error);
    free(copy);
    if (failed) return push_refusal(L, &error);
    lua_pushinteger(L, (lua_Integer)size);
    lua_pushboolean(L, escaped);
    return 2;
}

/* decode(inside) -> text | nil, reason, at */
static int decode(lua_State *L)
{
    struct bytes inside;
    struct json_error error;
    size_t size;
    inside.p = luaL_checklstring(L, 1, &inside.n);
    char *out = mem_alloc(inside.n);
    int failed = json_string_decode(inside, out, &size, &error);
    if (!failed) lua_pushlstring(L, out, size);
    free(out);
    return failed ? push_refusal(L, &error) : 1;
}

int unit_json_string(lua_State *L)
{
    static const luaL_Reg functions[] = {{"scan", scan}, {"decode", decode}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
