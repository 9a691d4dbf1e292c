#include "eras/replay.h"

#include <lauxlib.h>

int unit_replay(lua_State *L);

#define TYPE "unit.replay"

enum { STREAMS = 3 };

struct kept {
    struct replay replay;
    struct replay_stream streams[STREAMS];
};

static struct kept *check(lua_State *L)
{
    return luaL_checkudata(L, 1, TYPE);
}

static struct replay_stream *check_stream(lua_State *L, struct kept *k)
{
    lua_Integer number = luaL_checkinteger(L, 2);
    luaL_argcheck(L, number >= 1 && number <= STREAMS, 2, "no such stream");
    return &k->streams[number - 1];
}

/* new(limit) → a list with the streams 1, 2 and 3 */
static int new_replay(lua_State *L)
{
    struct kept *k = lua_newuserdatauv(L, sizeof *k, 0);
    *k = (struct kept){.replay.limit = (size_t)luaL_checkinteger(L, 1)};
    for (int i = 0; i < STREAMS; i++)
        k->streams[i].number = i + 1;
    luaL_setmetatable(L, TYPE);
    return 1;
}

/* r:add(stream, number, text) → whether it is kept */
static int add(lua_State *L)
{
    struct kept *k = check(L);
    struct bytes text;
    text.p = luaL_checklstring(L, 4, &text.n);
    lua_pushboolean(L, replay_add(&k->replay, check_stream(L, k), luaL_checkinteger(L, 3), text));
    return 1;
}

/* r:after(stream, number) → the texts of what came behind it */
static int after(lua_State *L)
{
    struct kept *k = check(L);
    const struct replay_stream *stream = check_stream(L, k);
    int64_t number = luaL_checkinteger(L, 3);
    const struct replay_event *e;
    lua_Integer n = 0;
    lua_newtable(L);
    for (; (e = replay_next(&k->replay, stream, number)) != NULL; number = e->number) {
        lua_pushlstring(L, e->text, e->n);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* r:kept(stream) → how many events of it there are, of all streams, and their bytes */
static int kept(lua_State *L)
{
    struct kept *k = check(L);
    lua_pushinteger(L, (lua_Integer)check_stream(L, k)->kept);
    lua_pushinteger(L, (lua_Integer)k->replay.events);
    lua_pushinteger(L, (lua_Integer)k->replay.bytes);
    return 3;
}

static int finish(lua_State *L)
{
    replay_free(&check(L)->replay);
    return 0;
}

int unit_replay(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_replay}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"add", add},     {"after", after}, {"kept", kept},
                                       {"free", finish}, {"__gc", finish}, {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    lua_pushinteger(L, REPLAY_EVENTS);
    lua_setfield(L, -2, "EVENTS");
    return 1;
}
