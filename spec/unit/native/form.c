#include <lauxlib.h>

#include "schema/form.h"

int unit_form(lua_State *L);

/* check(text): true; or nil and the error */
static int check(lua_State *L)
{
    struct arena arena = {0};
    struct error error = {.text = ""};
    struct json_error why;
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    const struct json *v = json_parse(&arena, text, &JSON_LIMITS, &why);
    int rc = v ? form_check(v, &error) : 0;
    arena_free(&arena);
    if (!v) return luaL_error(L, "no JSON: %s", why.reason);
    if (rc == 0)
        lua_pushboolean(L, 1);
    else
        lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

int unit_form(lua_State *L)
{
    static const luaL_Reg functions[] = {{"check", check}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
