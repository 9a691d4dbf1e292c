#include "script/stdlib.h"

#include "base/clock.h"
#include "script/coroutines.h"
#include "script/limits.h"
#include "script/log_quota.h"
#include "script/patterns.h"
#include "script/run_time.h"
#include "script/stdlib_meta.h"
#include "script/stdlib_table.h"
#include "script/stdlib_text.h"
#include "script/vm.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

/* What scripts get. Left out, and why:
 *   base       load, loadfile, dofile, loadstring   code comes from files that were checked
 *              collectgarbage                        a lever on the host's memory and time
 *              _G                                    no second name for the globals
 *              require                               ours (modules.c): lib/ and the prelude only
 *   string     dump                                  bytecode
 *   math       randomseed                            runs are seeded from their journal, and the
 *                                                    original tells an address
 *   os         clock                                 differs on a replay
 *              all that touches files, processes, the environment or the locale
 *   coroutine  close, running                        see coroutines.h
 *   debug, io, package                               whole
 * No function tells an address (stdlib_text.h), and setmetatable takes a part of the metamethods
 * only (stdlib_meta.h). */
static const char *const BASE[] = {"assert",   "error",  "ipairs",   "next",   "pairs",
                                   "rawequal", "rawget", "rawlen",   "rawset", "select",
                                   "tonumber", "type",   "_VERSION", NULL};
static const char *const STRING[] = {"byte",    "char",  "find",   "format", "gmatch",   "gsub",
                                     "len",     "lower", "match",  "pack",   "packsize", "rep",
                                     "reverse", "sub",   "unpack", "upper",  NULL};
static const char *const TABLE[] = {"concat", "insert", "move",   "pack",
                                    "remove", "sort",   "unpack", NULL};
static const char *const MATH[] = {
    "abs",  "acos", "asin", "atan", "ceil",       "cos",        "deg", "exp",  "floor",
    "fmod", "huge", "log",  "max",  "maxinteger", "mininteger", "min", "modf", "pi",
    "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type",       "ult", NULL};
static const char *const UTF8[] = {"char", "charpattern", "codepoint", "codes",
                                   "len",  "offset",      NULL};
static const char *const OS[] = {"difftime", NULL};

/* Copies the named members of the table on the top into a new one, which replaces it. [-1, +1] */
static void pick(lua_State *L, const char *const *names)
{
    lua_newtable(L);
    for (; *names; names++) {
        lua_getfield(L, -2, *names);
        lua_setfield(L, -2, *names);
    }
    lua_remove(L, -2);
}

/* [-0, +1] */
static void open_library(lua_State *L, lua_CFunction open, const char *const *names)
{
    lua_pushcfunction(L, open);
    lua_call(L, 0, 1);
    pick(L, names);
}

/* Calls the original function, which is the upvalue, in this very frame: its errors name the
 * script's line. */
static int original(lua_State *L)
{
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* The C library converts times under a lock, which a jump out of it would leave locked. */
static int shielded_original(lua_State *L)
{
    struct limits *l = limits_of(L);
    l->shielded = 1;
    int results = original(L);
    l->shielded = 0;
    return results;
}

/* os.time() is the start of the call; with a table it is the stock function. */
static int os_time(lua_State *L)
{
    if (lua_isnoneornil(L, 1)) {
        lua_pushinteger(L, run_time_ms(vm_of(L)) / 1000);
        return 1;
    }
    return shielded_original(L);
}

/* os.date(format, time): the time defaults to the start of the call. */
static int os_date(lua_State *L)
{
    lua_Integer time = luaL_optinteger(L, 2, run_time_ms(vm_of(L)) / 1000);
    lua_settop(L, 1);
    lua_pushinteger(L, time);
    return shielded_original(L);
}

/* [-0, +1] */
static void open_os(lua_State *L)
{
    static const luaL_Reg timed[] = {{"time", os_time}, {"date", os_date}, {NULL, NULL}};
    lua_pushcfunction(L, luaopen_os);
    lua_call(L, 0, 1);
    lua_pushvalue(L, -1);
    pick(L, OS);
    for (const luaL_Reg *f = timed; f->name; f++) {
        lua_getfield(L, -2, f->name);
        lua_pushcclosure(L, f->func, 1);
        lua_setfield(L, -2, f->name);
    }
    lua_remove(L, -2);
}

/* math.random as in the manual, drawn from the run's own generator. */
static int math_random(lua_State *L)
{
    uint64_t draw = run_time_random(vm_of(L));
    int arguments = lua_gettop(L);
    if (arguments > 2) return luaL_error(L, "wrong number of arguments");
    if (arguments == 0) {
        lua_pushnumber(L, (lua_Number)(draw >> 11) * (0.5 / ((uint64_t)1 << 52)));
        return 1;
    }
    lua_Integer low = arguments == 1 ? 1 : luaL_checkinteger(L, 1);
    lua_Integer high = luaL_checkinteger(L, arguments == 1 ? 1 : 2);
    if (arguments == 1 && high == 0) {
        lua_pushinteger(L, (lua_Integer)draw);
        return 1;
    }
    luaL_argcheck(L, low <= high, arguments == 1 ? 1 : 2, "interval is empty");
    uint64_t range = (uint64_t)high - (uint64_t)low + 1; /* 0: all of 2^64 */
    if (range != 0) {
        uint64_t unfair = (0 - range) % range; /* draws below it would favour small results */
        while (draw < unfair)
            draw = run_time_random(vm_of(L));
        draw %= range;
    }
    draw += (uint64_t)low;
    lua_pushinteger(L, (lua_Integer)draw);
    return 1;
}

/* print goes to the host's log: a stray one must not break a transport that is standard output. */
static int print(lua_State *L)
{
    luaL_Buffer line;
    int n = lua_gettop(L);
    luaL_buffinit(L, &line);
    for (int i = 1; i <= n; i++) {
        if (i > 1) luaL_addchar(&line, '\t');
        stdlib_text_push(L, i);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    struct vm *vm = vm_of(L);
    vm->limits.shielded = 1;
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    if (log_quota_take(vm, length)) log_line(vm->log, LOG_INFO, "%s: %s", vm->name, text);
    vm->limits.shielded = 0;
    return 0;
}

/* Repeating nothing is one step, however often. */
static int rep(lua_State *L)
{
    size_t text, separator;
    luaL_checklstring(L, 1, &text);
    luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator);
    if (text + separator > 0) return original(L);
    lua_pushliteral(L, "");
    return 1;
}

/* Puts `with` in front of a function of the table on the top. [-0, +0] */
static void wrap(lua_State *L, const char *name, lua_CFunction with)
{
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, with, 1);
    lua_setfield(L, -2, name);
}

/* ("x"):upper() goes through a copy, so that changing `string` changes nobody else's methods. */
static void open_string(lua_State *L)
{
    open_library(L, luaopen_string, STRING);
    wrap(L, "rep", rep);
    stdlib_text_open_format(L);
    patterns_open(L, &limits_of(L)->stop);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    pick(L, STRING);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 2);
}

void stdlib_open(lua_State *L)
{
    static const luaL_Reg ours[] = {{"pcall", coroutines_pcall},
                                    {"print", print},
                                    {"tostring", stdlib_text_tostring},
                                    {"xpcall", coroutines_xpcall},
                                    {NULL, NULL}};
    open_library(L, luaopen_base, BASE);
    luaL_setfuncs(L, STDLIB_META, 0);
    luaL_setfuncs(L, ours, 0);
    coroutines_push(L);
    lua_setfield(L, -2, "coroutine");
    open_string(L);
    lua_setfield(L, -2, "string");
    open_library(L, luaopen_table, TABLE);
    stdlib_table_bound(L);
    lua_setfield(L, -2, "table");
    open_library(L, luaopen_math, MATH);
    lua_pushcfunction(L, math_random);
    lua_setfield(L, -2, "random");
    lua_setfield(L, -2, "math");
    open_library(L, luaopen_utf8, UTF8);
    lua_setfield(L, -2, "utf8");
    open_os(L);
    lua_setfield(L, -2, "os");
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
