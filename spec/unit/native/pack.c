#include <lauxlib.h>

#include "call/pack.h"

int unit_pack(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static int push_buf(lua_State *L, struct buf *b)
{
    lua_pushlstring(L, b->p, b->n);
    buf_free(b);
    return 1;
}

static int add_int(lua_State *L)
{
    uint64_t value = (uint64_t)luaL_checkinteger(L, 1);
    unsigned width = (unsigned)luaL_checkinteger(L, 2);
    struct buf out = {0};
    pack_int(&out, value, width);
    return push_buf(L, &out);
}

static int add_text(lua_State *L)
{
    struct bytes text = check_bytes(L, 1);
    struct buf out = {0};
    pack_text(&out, text);
    return push_buf(L, &out);
}

/* read(data, width…) -> what an integer of each width, or a text for width 0, reads as …, and
 * whether it ended well */
static int read_all(lua_State *L)
{
    struct pack_reader r = {check_bytes(L, 1), false};
    int fields = lua_gettop(L) - 1;
    for (int i = 0; i < fields; i++) {
        unsigned width = (unsigned)luaL_checkinteger(L, i + 2);
        if (width) {
            lua_pushinteger(L, (lua_Integer)pack_read_int(&r, width));
            continue;
        }
        struct bytes text = pack_read_text(&r);
        lua_pushlstring(L, text.p, text.n);
    }
    lua_pushboolean(L, pack_end(&r));
    return fields + 1;
}

/* raw(data, n) -> n bytes, and whether that was all */
static int read_raw(lua_State *L)
{
    struct pack_reader r = {check_bytes(L, 1), false};
    size_t n = (size_t)luaL_checkinteger(L, 2);
    luaL_Buffer b;
    pack_read_raw(&r, luaL_buffinitsize(L, &b, n), n);
    luaL_pushresultsize(&b, n);
    lua_pushboolean(L, pack_end(&r));
    return 2;
}

int unit_pack(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"int", add_int}, {"text", add_text}, {"read", read_all}, {"raw", read_raw}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
