#include <lauxlib.h>

#include "wire/json_write.h"

int unit_json_write(lua_State *L);

static int push_buf(lua_State *L, struct buf *b)
{
    lua_pushlstring(L, b->p ? b->p : "", b->n);
    buf_free(b);
    return 1;
}

/* Returns what `write` makes of the JSON text at 1, or nil if that is none. */
static int rewrite(lua_State *L, void (*write)(struct buf *, const struct json *))
{
    struct bytes text;
    struct arena arena = {0};
    struct json_error error;
    struct buf out = {0};
    text.p = luaL_checklstring(L, 1, &text.n);
    const struct json *v = json_parse(&arena, text, &JSON_LIMITS, &error);
    if (v) write(&out, v);
    arena_free(&arena);
    if (v) return push_buf(L, &out);
    lua_pushnil(L);
    return 1;
}

static int value(lua_State *L)
{
    return rewrite(L, json_write_value);
}

static int canonical(lua_State *L)
{
    return rewrite(L, json_write_canonical);
}

static int string(lua_State *L)
{
    struct bytes text;
    struct buf out = {0};
    text.p = luaL_checklstring(L, 1, &text.n);
    json_write_string(&out, text);
    return push_buf(L, &out);
}

/* double(x) -> text | nil, text */
static int number(lua_State *L)
{
    struct buf out = {0};
    int failed = json_write_double(&out, luaL_checknumber(L, 1));
    if (failed) lua_pushnil(L);
    push_buf(L, &out);
    return failed ? 2 : 1;
}

int unit_json_write(lua_State *L)
{
    static const luaL_Reg functions[] = {{"value", value},
                                         {"canonical", canonical},
                                         {"string", string},
                                         {"double", number},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
