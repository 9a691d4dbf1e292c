#include "eras/session.h"

#include <lauxlib.h>

int unit_session(lua_State *L);

#define TYPE "unit.session"

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static struct sessions *check(lua_State *L)
{
    return *(struct sessions **)luaL_checkudata(L, 1, TYPE);
}

static int new_sessions(lua_State *L)
{
    struct sessions **s = lua_newuserdatauv(L, sizeof(struct sessions *), 0);
    *s = sessions_new();
    luaL_setmetatable(L, TYPE);
    return 1;
}

/* s:add(principal, version, info, capabilities) → id; the texts are gone when it returns */
static int add(lua_State *L)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *info =
        json_parse(&arena, arena_copy(&arena, check_bytes(L, 4)), &JSON_LIMITS, &fault);
    const struct json *capabilities =
        json_parse(&arena, arena_copy(&arena, check_bytes(L, 5)), &JSON_LIMITS, &fault);
    const struct session *session =
        sessions_add(check(L), check_bytes(L, 2), check_bytes(L, 3), info, capabilities);
    lua_pushstring(L, session->id);
    arena_free(&arena);
    return 1;
}

/* s:find(id, principal) → version and the client as a script sees it, or nil */
static int find(lua_State *L)
{
    struct buf client = {0};
    const struct session *session = sessions_find(check(L), check_bytes(L, 2), check_bytes(L, 3));
    if (!session) return 0;
    lua_pushstring(L, session->version);
    client_write(&session->client, &client);
    lua_pushstring(L, buf_text(&client));
    buf_free(&client);
    lua_pushboolean(L, sessions_busy(session));
    return 3;
}

static int take_out(lua_State *L)
{
    struct session *session = sessions_find(check(L), check_bytes(L, 2), check_bytes(L, 3));
    luaL_argcheck(L, session, 2, "no such session");
    sessions_remove(check(L), session);
    return 0;
}

static int count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)sessions_count(check(L)));
    return 1;
}

struct visit {
    struct sessions *sessions;
    lua_Integer visited;
};

static void remove_one(void *arg, struct session *session)
{
    struct visit *v = arg;
    v->visited++;
    sessions_remove(v->sessions, session);
}

/* s:remove_all() → how many there were, each removed while it is visited */
static int remove_all(lua_State *L)
{
    struct visit v = {check(L), 0};
    sessions_each(v.sessions, remove_one, &v);
    lua_pushinteger(L, v.visited);
    return 1;
}

static int finish(lua_State *L)
{
    remove_all(L);
    sessions_free(check(L));
    return 0;
}

int unit_session(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_sessions}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"add", add},
                                       {"find", find},
                                       {"remove", take_out},
                                       {"count", count},
                                       {"remove_all", remove_all},
                                       {"__gc", finish},
                                       {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
