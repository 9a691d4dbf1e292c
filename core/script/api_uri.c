#include "script/api_uri.h"

#include "wire/uri_template.h"

#include <string.h>

static int template_variables(lua_State *L)
{
    struct error error;
    struct bytes names[URI_TEMPLATE_VARIABLES];
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    struct uri_template *t = uri_template_new(text, &error);
    if (!t) {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    /* The template is freed before Lua can raise: the names are found again in the text, which the
     * stack holds. */
    size_t n = uri_template_count(t);
    for (size_t i = 0; i < n; i++) {
        struct bytes name = uri_template_variable(t, i);
        const char *at = memmem(text.p, text.n, name.p, name.n);
        names[i] = (struct bytes){at, name.n};
    }
    uri_template_free(t);
    lua_createtable(L, 0, (int)n);
    for (size_t i = 0; i < n; i++) {
        lua_pushlstring(L, names[i].p, names[i].n);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
    }
    return 1;
}

const luaL_Reg API_URI[] = {{"template_variables", template_variables}, {NULL, NULL}};
