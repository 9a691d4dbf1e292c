#include <lauxlib.h>

#include "schema/schema_ecma.h"
#include "schema/schema_pattern.h"

int unit_schema_ecma(lua_State *L);

/* translate(pattern): what PCRE2 gets; or nil and the error */
static int translate(lua_State *L)
{
    struct bytes text;
    struct buf out = {0};
    struct error error = {.text = ""};
    text.p = luaL_checklstring(L, 1, &text.n);
    int rc = schema_ecma_translate(text, &out, &error);
    if (rc == 0) lua_pushlstring(L, buf_text(&out), out.n);
    buf_free(&out);
    if (rc == 0) return 1;
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

/* matches(pattern, text): whether it does; or nil and the error */
static int matches(lua_State *L)
{
    struct bytes text, subject;
    struct error error = {.text = ""};
    unsigned steps;
    text.p = luaL_checklstring(L, 1, &text.n);
    subject.p = luaL_checklstring(L, 2, &subject.n);
    struct schema_pattern *pattern = schema_pattern_new(text, &error);
    if (!pattern) {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    lua_pushboolean(L, schema_pattern_match(pattern, subject, &steps) == SCHEMA_MATCH_YES);
    schema_pattern_free(pattern);
    return 1;
}

int unit_schema_ecma(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"translate", translate}, {"matches", matches}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
