#include <lauxlib.h>

#include "host/watch.h"

int unit_watch(lua_State *L);

#define TYPE "unit.watch"

struct box {
    uv_loop_t loop;
    uv_timer_t deadline;
    struct watch *watch;
    struct log log;
    int changes;
    bool closed;
};

static void on_change(void *arg)
{
    struct box *box = arg;
    box->changes++;
    uv_stop(&box->loop);
}

static void on_deadline(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

/* new(scripts, config) → a watch on a loop of its own */
static int new (lua_State *L)
{
    const char *scripts = luaL_checkstring(L, 1), *config = luaL_checkstring(L, 2);
    struct box *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (struct box){.log = {stderr, LOG_WARNING}};
    uv_loop_init(&box->loop);
    uv_timer_init(&box->loop, &box->deadline);
    box->watch = watch_new(&box->loop, scripts, config, &box->log, on_change, box);
    luaL_setmetatable(L, TYPE);
    return 1;
}

/* turn(ms): waits for a change at most that long. Returns how many there have been. */
static int turn(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    uv_timer_start(&box->deadline, on_deadline, (uint64_t)luaL_checkinteger(L, 2), 0);
    uv_run(&box->loop, UV_RUN_DEFAULT);
    uv_timer_stop(&box->deadline);
    lua_pushinteger(L, box->changes);
    return 1;
}

static int close_watch(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    if (box->closed) return 0;
    box->closed = true;
    watch_free(box->watch);
    uv_close((uv_handle_t *)&box->deadline, NULL);
    uv_run(&box->loop, UV_RUN_DEFAULT);
    return uv_loop_close(&box->loop) == 0 ? 0 : luaL_error(L, "the loop has handles left");
}

/* wait_ms(first, now) */
static int wait_ms(lua_State *L)
{
    lua_pushinteger(L, watch_wait_ms(luaL_checkinteger(L, 1), luaL_checkinteger(L, 2)));
    return 1;
}

/* concerns(name, in_lib) */
static int concerns(lua_State *L)
{
    lua_pushboolean(L, watch_concerns(luaL_checkstring(L, 1), lua_toboolean(L, 2)));
    return 1;
}

int unit_watch(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"new", new}, {"wait_ms", wait_ms}, {"concerns", concerns}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"turn", turn}, {"close", close_watch}, {"__gc", close_watch}, {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
