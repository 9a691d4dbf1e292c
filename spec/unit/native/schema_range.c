#include <lauxlib.h>

#include "schema/schema_range.h"

int unit_schema_range(lua_State *L);

/* valid(text, name) → whether, the reasons */
static int valid(lua_State *L)
{
    struct arena arena = {0};
    struct buf reasons = {0};
    struct json_error fault;
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    const struct json *root = json_parse(&arena, text, &JSON_LIMITS, &fault);
    if (!root) return luaL_error(L, "no JSON: %s", fault.reason);
    bool fits = schema_range_valid(root, luaL_optstring(L, 2, "arguments"), &reasons);
    lua_pushboolean(L, fits && schema_range_valid(root, "", NULL));
    lua_pushlstring(L, buf_text(&reasons), reasons.n);
    buf_free(&reasons);
    arena_free(&arena);
    return 2;
}

int unit_schema_range(lua_State *L)
{
    static const luaL_Reg functions[] = {{"valid", valid}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
