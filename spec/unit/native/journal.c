#include <lauxlib.h>

#include "call/journal.h"

int unit_journal(lua_State *L);

#define TYPE "unit.journal"

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static struct journal *check(lua_State *L)
{
    return luaL_checkudata(L, 1, TYPE);
}

static struct journal *push(lua_State *L)
{
    struct journal *j = lua_newuserdatauv(L, sizeof *j, 0);
    *j = (struct journal){0};
    luaL_setmetatable(L, TYPE);
    return j;
}

static int push_view(lua_State *L, struct bytes text)
{
    if (text.p)
        lua_pushlstring(L, text.p, text.n);
    else
        lua_pushnil(L);
    return 1;
}

static int start(lua_State *L)
{
    int64_t started_ms = luaL_checkinteger(L, 1);
    struct entropy entropy = {0};
    journal_start(push(L), &entropy, started_ms);
    return 1;
}

/* decode(data) -> journal, or nil and whether it was left empty */
static int decode(lua_State *L)
{
    struct bytes data = check_bytes(L, 1);
    struct journal *j = push(L);
    if (journal_decode(data, j) == 0) return 1;
    lua_pushnil(L);
    lua_pushboolean(L, !j->entries && j->n == 0 && !j->arena.blocks);
    return 2;
}

static int finish(lua_State *L)
{
    journal_free(check(L));
    return 0;
}

static int rewind_cursor(lua_State *L)
{
    journal_rewind(check(L));
    return 0;
}

static int take(lua_State *L)
{
    unsigned char digest[SEAL_DIGEST_BYTES];
    seal_digest(check_bytes(L, 3), digest);
    return push_view(L, journal_take(check(L), check_bytes(L, 2), digest));
}

static int ask(lua_State *L)
{
    unsigned char digest[SEAL_DIGEST_BYTES];
    seal_digest(check_bytes(L, 3), digest);
    lua_pushinteger(L, journal_ask(check(L), check_bytes(L, 2), digest));
    return 1;
}

static int answer(lua_State *L)
{
    lua_pushinteger(L, journal_answer(check(L), check_bytes(L, 2), check_bytes(L, 3)));
    return 1;
}

static int once(lua_State *L)
{
    return push_view(L, journal_once(check(L), check_bytes(L, 2)));
}

static int set_once(lua_State *L)
{
    lua_pushinteger(L, journal_set_once(check(L), check_bytes(L, 2), check_bytes(L, 3)));
    return 1;
}

static int encode(lua_State *L)
{
    struct buf out = {0};
    journal_encode(check(L), &out);
    lua_pushlstring(L, out.p, out.n);
    buf_free(&out);
    return 1;
}

static int size(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)journal_size(check(L)));
    return 1;
}

static int set_rounds(lua_State *L)
{
    check(L)->rounds = (uint32_t)luaL_checkinteger(L, 2);
    return 0;
}

/* head() -> call id, start time, seed, rounds */
static int head(lua_State *L)
{
    const struct journal *j = check(L);
    lua_pushlstring(L, (const char *)j->call_id, sizeof j->call_id);
    lua_pushinteger(L, j->started_ms);
    lua_pushlstring(L, (const char *)j->seed, sizeof j->seed);
    lua_pushinteger(L, j->rounds);
    return 4;
}

/* list() -> "answer KEY JSON", "open KEY", "once NAME JSON" … */
static int list(lua_State *L)
{
    static const char *const kinds[] = {"answer", "open", "once"};
    const struct journal *j = check(L);
    lua_newtable(L);
    for (size_t i = 0; i < j->n; i++) {
        const struct journal_entry *entry = &j->entries[i];
        luaL_Buffer b;
        luaL_buffinit(L, &b);
        luaL_addstring(&b, kinds[entry->kind]);
        luaL_addchar(&b, ' ');
        luaL_addlstring(&b, entry->key.p, entry->key.n);
        if (entry->json.n) luaL_addchar(&b, ' ');
        luaL_addlstring(&b, entry->json.p, entry->json.n);
        luaL_pushresult(&b);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int unit_journal(lua_State *L)
{
    static const luaL_Reg functions[] = {{"start", start}, {"decode", decode}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"rewind", rewind_cursor},
                                       {"take", take},
                                       {"ask", ask},
                                       {"answer", answer},
                                       {"once", once},
                                       {"set_once", set_once},
                                       {"encode", encode},
                                       {"size", size},
                                       {"set_rounds", set_rounds},
                                       {"head", head},
                                       {"list", list},
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
