#include <lauxlib.h>

#include "script/finding.h"

int unit_finding(lua_State *L);

static struct bytes text_at(lua_State *L, int at)
{
    struct bytes text;
    text.p = luaL_checklstring(L, at, &text.n);
    return text;
}

/* read(message) → file or nil, line, text */
static int read(lua_State *L)
{
    struct finding f = finding_read(text_at(L, 1));
    if (f.file.p)
        lua_pushlstring(L, f.file.p, f.file.n);
    else
        lua_pushnil(L);
    lua_pushinteger(L, f.line);
    lua_pushlstring(L, f.text.p, f.text.n);
    return 3;
}

/* write(message, warning, graded) → the line */
static int write(lua_State *L)
{
    struct buf line = {0};
    struct finding f = finding_read(text_at(L, 1));
    f.warning = lua_toboolean(L, 2);
    finding_write(&f, lua_toboolean(L, 3), &line);
    lua_pushlstring(L, line.p, line.n);
    buf_free(&line);
    return 1;
}

/* path(file, folder) → the path */
static int path(lua_State *L)
{
    struct buf out = {0};
    struct finding f = {.file = text_at(L, 1)};
    finding_path(&f, text_at(L, 2), &out);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 1;
}

int unit_finding(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"read", read}, {"write", write}, {"path", path}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
