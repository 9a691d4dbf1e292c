#include <lauxlib.h>

#include "script/bytecode.h"

int unit_bytecode(lua_State *L);

/* Adds "3 set x" or "3 get io.open" to the list on the top. */
static void add_use(void *arg, const struct bytecode_use *use)
{
    lua_State *L = arg;
    struct buf line = {0};
    buf_printf(&line, "%d %s %.*s", use->line, use->set ? "set" : "get", BYTES_ARG(use->name));
    if (use->member.n) buf_printf(&line, ".%.*s", BYTES_ARG(use->member));
    lua_pushlstring(L, line.p, line.n);
    lua_rawseti(L, -2, luaL_len(L, -2) + 1);
    buf_free(&line);
}

/* dump(source) → what lua_dump makes of it */
static int dump(lua_State *L)
{
    struct buf out = {0};
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    if (luaL_loadbuffer(L, text.p, text.n, "@x.lua") != LUA_OK) return lua_error(L);
    bytecode_dump(L, &out);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 1;
}

/* uses(dump) → a list of uses */
static int uses(lua_State *L)
{
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    lua_newtable(L);
    bytecode_uses(text, add_use, L);
    return 1;
}

int unit_bytecode(lua_State *L)
{
    static const luaL_Reg functions[] = {{"dump", dump}, {"uses", uses}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
