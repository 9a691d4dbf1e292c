#include "wire/uri_template.h"

#include <lauxlib.h>

int unit_uri_template(lua_State *L);

/* match(template, uri) → the variables as JSON text, or nil; or false and what is wrong with the
 * template */
static int match(lua_State *L)
{
    struct error error;
    struct buf json = {0};
    struct bytes text, uri;
    text.p = luaL_checklstring(L, 1, &text.n);
    uri.p = luaL_checklstring(L, 2, &uri.n);
    struct uri_template *t = uri_template_new(text, &error);
    if (!t) {
        lua_pushboolean(L, 0);
        lua_pushstring(L, error.text);
        return 2;
    }
    if (uri_template_match(t, uri, &json))
        lua_pushlstring(L, json.p, json.n);
    else
        lua_pushnil(L);
    uri_template_free(t);
    buf_free(&json);
    return 1;
}

int unit_uri_template(lua_State *L)
{
    static const luaL_Reg functions[] = {{"match", match}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
