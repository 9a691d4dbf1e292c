#include "script/coroutines.h"

#include "script/limits.h"
#include "script/run_state.h"
#include "script/vm.h"

#include <lauxlib.h>

enum mode { RESUME, WRAP };

static int pcall_done(lua_State *L, int status, lua_KContext extra)
{
    limits_unshield(L);
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)extra;
    limits_check(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

int coroutines_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, pcall_done);
    return pcall_done(L, status, 0);
}

/* An error raised by the hook calls the message handler with hooks off: the script's must not run
 * then, it could go on for ever. One raised by a primitive comes with its shield. */
static int handle_error(lua_State *L)
{
    if (limits_of(L)->stopped) return 1;
    limits_unshield(L);
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

int coroutines_xpcall(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle_error, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, lua_gettop(L) - 4, LUA_MULTRET, 2, 2, pcall_done);
    return pcall_done(L, status, 2);
}

bool coroutines_can_wait(lua_State *L)
{
    return limits_of(L)->yieldable && lua_isyieldable(L);
}

int coroutines_wait(lua_State *L, lua_KFunction k)
{
    vm_of(L)->running->waiting = true;
    limits_unshield(L);
    return lua_yieldk(L, 0, 0, k);
}

/* True if the coroutine that just yielded did so for the host. */
static bool for_host(lua_State *L)
{
    const struct limits *l = limits_of(L);
    const struct run *r = vm_of(L)->running;
    return l->stopped || l->sliced || (r && r->waiting);
}

static int hand_over(lua_State *L, lua_State *co, int n, bool ok, enum mode mode)
{
    if (!lua_checkstack(L, n + 1)) {
        lua_pop(co, n);
        return luaL_error(L, "too many results to resume");
    }
    lua_xmove(co, L, n);
    if (mode == WRAP) {
        if (ok) return n;
        return lua_error(L);
    }
    lua_pushboolean(L, ok);
    lua_insert(L, -(n + 1));
    return n + 1;
}

static int go_on(lua_State *L, int status, lua_KContext mode);

/* Resumes the coroutine on index 1 of `L` with the top `n` values of its own stack. */
static int step(lua_State *L, int n, enum mode mode)
{
    struct limits *l = limits_of(L);
    lua_State *co = lua_tothread(L, 1);
    bool yieldable = l->yieldable;
    int results;
    l->yieldable = yieldable && lua_isyieldable(L);
    l->current = co;
    int status = lua_resume(co, L, n, &results);
    lua_sethook(co, NULL, 0, 0);
    l->current = L;
    l->yieldable = yieldable;
    limits_unshield(L);
    if (status == LUA_YIELD && for_host(L)) {
        lua_pop(co, results);
        return lua_yieldk(L, 0, mode, go_on);
    }
    if (l->stopped) return limits_raise(L);
    if (status == LUA_OK || status == LUA_YIELD) return hand_over(L, co, results, true, mode);
    return hand_over(L, co, 1, false, mode);
}

/* The host has come back: on with the inner coroutine, which waits where it yielded. */
static int go_on(lua_State *L, int status, lua_KContext mode)
{
    (void)status;
    return step(L, 0, (enum mode)mode);
}

/* The coroutine is on index 1, its arguments behind it. */
static int begin(lua_State *L, enum mode mode)
{
    lua_State *co = lua_tothread(L, 1);
    int n = lua_gettop(L) - 1;
    bool dead = lua_status(co) == LUA_OK && lua_gettop(co) == 0;
    if (dead || lua_status(co) > LUA_YIELD || !lua_checkstack(co, n)) {
        lua_pushstring(L, dead ? "cannot resume dead coroutine" : "cannot resume this coroutine");
        if (mode == WRAP) return lua_error(L);
        lua_pushboolean(L, 0);
        lua_insert(L, -2);
        return 2;
    }
    lua_xmove(L, co, n);
    return step(L, n, mode);
}

static lua_State *check_thread(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co, 1, "coroutine");
    return co;
}

static int resume(lua_State *L)
{
    check_thread(L);
    return begin(L, RESUME);
}

static int create(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_sethook(co, NULL, 0, 0);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

static int wrapped(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    return begin(L, WRAP);
}

static int wrap(lua_State *L)
{
    create(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

static bool is_script_made(lua_State *L)
{
    const struct run *r = vm_of(L)->running;
    return L != vm_of(L)->L && (!r || L != r->co);
}

static int yield(lua_State *L)
{
    if (!is_script_made(L)) return luaL_error(L, "attempt to yield from outside a coroutine");
    return lua_yield(L, lua_gettop(L));
}

static int isyieldable(lua_State *L)
{
    lua_pushboolean(L, is_script_made(L) && lua_isyieldable(L));
    return 1;
}

static int status(lua_State *L)
{
    lua_State *co = check_thread(L);
    lua_Debug frame;
    bool fresh = lua_status(co) == LUA_OK && lua_gettop(co) > 0; /* its function, not begun */
    const char *text = "dead";
    if (co == L)
        text = "running";
    else if (lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame))
        text = "normal";
    else if (lua_status(co) == LUA_YIELD || fresh)
        text = "suspended";
    lua_pushstring(L, text);
    return 1;
}

void coroutines_push(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"create", create}, {"isyieldable", isyieldable},
        {"resume", resume}, {"status", status},
        {"wrap", wrap},     {"yield", yield},
        {NULL, NULL},
    };
    luaL_newlib(L, functions);
}
