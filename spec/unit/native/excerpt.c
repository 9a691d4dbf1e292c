#include <lauxlib.h>

#include "script/excerpt.h"

int unit_excerpt(lua_State *L);

/* make(text, line, message) → the line of source and that of the caret, or nothing */
static int make(lua_State *L)
{
    struct bytes text, message;
    struct buf source = {0}, caret = {0};
    text.p = luaL_checklstring(L, 1, &text.n);
    int line = (int)luaL_checkinteger(L, 2);
    message.p = luaL_checklstring(L, 3, &message.n);
    bool made = excerpt_make(text, line, message, &source, &caret);
    lua_pushlstring(L, source.p, source.n);
    lua_pushlstring(L, caret.p, caret.n);
    buf_free(&source);
    buf_free(&caret);
    return made ? 2 : 0;
}

int unit_excerpt(lua_State *L)
{
    static const luaL_Reg functions[] = {{"make", make}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
