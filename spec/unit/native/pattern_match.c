#include <lauxlib.h>

#include "base/mem.h"
#include "script/pattern_match.h"

#include <stdlib.h>
#include <string.h>

int unit_pattern_match(lua_State *L);

static const char *const RESULTS[] = {"found",    "none",    "malformed",
                                      "too long", "used up", "stopped"};

/* Returns owned, of exactly its length, for ASan to watch the end. */
static struct bytes copy(lua_State *L, int at)
{
    struct bytes b;
    const char *p = luaL_checklstring(L, at, &b.n);
    b.p = memcpy(mem_realloc(NULL, b.n), p, b.n);
    return b;
}

static lua_Integer option(lua_State *L, const char *name, lua_Integer otherwise)
{
    lua_getfield(L, 3, name);
    lua_Integer value = luaL_optinteger(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

static void set(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

/* Sets captures to a list of "text", {position} and false for one that is unfinished. */
static void set_captures(lua_State *L, const struct pattern_match *m)
{
    lua_newtable(L);
    for (unsigned i = 0; i < m->captures; i++) {
        const struct pattern_match_capture *c = &m->capture[i];
        if (c->n == PATTERN_MATCH_UNFINISHED) {
            lua_pushboolean(L, 0);
        } else if (c->n == PATTERN_MATCH_POSITION) {
            lua_newtable(L);
            lua_pushinteger(L, c->start - m->subject.p);
            lua_rawseti(L, -2, 1);
        } else {
            lua_pushlstring(L, c->start, c->n);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "captures");
}

/* search(subject, pattern, {from, refused, steps, stop, literal}) ->
 * result, {left, reason, start, finish, captures}; offsets are counted from 0 */
static int search(lua_State *L)
{
    struct pattern_match m;
    luaL_checktype(L, 3, LUA_TTABLE);
    size_t from = (size_t)option(L, "from", 0);
    size_t refused = (size_t)option(L, "refused", -1);
    int64_t steps = option(L, "steps", 100000);
    volatile int stop = (int)option(L, "stop", 0);
    bool may_anchor = option(L, "literal", 0) == 0;
    struct bytes subject = copy(L, 1);
    struct bytes pattern = copy(L, 2);

    pattern_match_start(&m, subject, pattern, may_anchor, steps, &stop);
    enum pattern_match_result result = pattern_match_search(&m, from, refused);
    lua_pushstring(L, RESULTS[result]);
    lua_newtable(L);
    set(L, "left", m.steps);
    lua_pushstring(L, m.reason);
    lua_setfield(L, -2, "reason");
    if (result == PATTERN_MATCH_FOUND) {
        set(L, "start", m.start - subject.p);
        set(L, "finish", m.end - subject.p);
        set_captures(L, &m);
    }
    free((void *)(uintptr_t)subject.p);
    free((void *)(uintptr_t)pattern.p);
    return 2;
}

int unit_pattern_match(lua_State *L)
{
    static const luaL_Reg functions[] = {{"search", search}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
