#include <lauxlib.h>

#include "call/round.h"

int unit_round(lua_State *L);

#define TYPE "unit.round"

static struct round *check(lua_State *L)
{
    return luaL_checkudata(L, 1, TYPE);
}

static struct journal *check_journal(lua_State *L)
{
    return luaL_checkudata(L, 2, "unit.journal");
}

static struct bytes field(lua_State *L, const char *name)
{
    struct bytes text = {NULL, 0};
    if (lua_getfield(L, -1, name) == LUA_TSTRING) text.p = lua_tolstring(L, -1, &text.n);
    lua_pop(L, 1);
    return text;
}

/* new({ { key, method, params, capabilities }, … }, asked) → the round and how many were asked
 * then; or nil and why not */
static int new_round(lua_State *L)
{
    struct run_question questions[RUN_QUESTIONS];
    struct error error;
    unsigned asked = (unsigned)luaL_optinteger(L, 2, 0);
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t n = lua_rawlen(L, 1);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        questions[i] = (struct run_question){.key = field(L, "key"),
                                             .method = field(L, "method"),
                                             .capabilities = field(L, "capabilities"),
                                             .params = field(L, "params")};
        lua_pop(L, 1);
    }
    struct round *r = lua_newuserdatauv(L, sizeof *r, 0);
    *r = (struct round){0};
    luaL_setmetatable(L, TYPE);
    if (round_set(r, questions, n, &asked, &error) == 0) {
        lua_pushinteger(L, asked);
        return 2;
    }
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

static int take(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)round_take(check(L), check_journal(L)));
    return 1;
}

/* missing(capabilities as JSON text) */
static int missing(lua_State *L)
{
    struct arena arena = {0};
    struct json_error fault;
    struct buf out = {0};
    struct bytes text;
    text.p = luaL_checklstring(L, 2, &text.n);
    const struct client client = {.capabilities = json_parse(&arena, text, &JSON_LIMITS, &fault)};
    round_missing(check(L), &client, &out);
    lua_pushlstring(L, buf_text(&out), out.n);
    buf_free(&out);
    arena_free(&arena);
    return 1;
}

/* note(journal) → nothing, or the key that was refused */
static int note(lua_State *L)
{
    const struct question *refused;
    if (round_note(check(L), check_journal(L), &refused) == 0) return 0;
    lua_pushlstring(L, refused->key.p, refused->key.n);
    return 1;
}

static int answers(lua_State *L)
{
    struct buf out = {0};
    round_write_answers(check(L), &out);
    lua_pushlstring(L, buf_text(&out), out.n);
    buf_free(&out);
    return 1;
}

static int keys(lua_State *L)
{
    const struct round *r = check(L);
    lua_newtable(L);
    for (size_t i = 0; i < r->n; i++) {
        lua_pushlstring(L, r->questions[i].key.p, r->questions[i].key.n);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int finish(lua_State *L)
{
    round_free(check(L));
    return 0;
}

int unit_round(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_round}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"take", take}, {"missing", missing}, {"note", note}, {"answers", answers},
        {"keys", keys}, {"__gc", finish},     {NULL, NULL},
    };
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
