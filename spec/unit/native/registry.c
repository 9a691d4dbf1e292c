#include "registry.h"

#include "script/finding.h"
#include "vm.h"

#include <pthread.h>

int unit_registry(lua_State *L);

#define TYPE "unit.registry"

struct box {
    struct generation *generation;
    struct unit_log log;
};

struct generation *unit_registry_test(lua_State *L, int at)
{
    struct box *box = luaL_testudata(L, at, TYPE);
    return box ? box->generation : NULL;
}

static struct box *check(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    luaL_argcheck(L, box->generation, 1, "the generation is released");
    return box;
}

/* Adds the finding to the list on the top of the Lua stack. */
static void add_finding(void *arg, const struct finding *f)
{
    lua_State *L = arg;
    struct buf line = {0};
    finding_write(f, true, &line);
    lua_pushlstring(L, line.p, line.n);
    lua_rawseti(L, -2, luaL_len(L, -2) + 1);
    buf_free(&line);
}

/* A load on a thread of its own. */
struct elsewhere {
    const struct registry_options *options;
    struct error *error;
    struct generation *generation;
};

static void *load_and_leave(void *arg)
{
    struct elsewhere *e = arg;
    e->generation = registry_load(e->options, e->error);
    if (e->generation) registry_leave(e->generation);
    return NULL;
}

static struct generation *load_elsewhere(lua_State *L, const struct registry_options *options,
                                         struct error *error)
{
    pthread_t thread;
    struct elsewhere e = {options, error, NULL};
    if (pthread_create(&thread, NULL, load_and_leave, &e) != 0) luaL_error(L, "no thread");
    pthread_join(thread, NULL);
    if (e.generation && registry_enter(e.generation, error) != 0) luaL_error(L, "%s", error->text);
    return e.generation;
}

/* load(folder, { memory, cpu_us, findings, cut, elsewhere }): the generation; or nil, the error,
 * the log; with findings = true, the list of them comes last. elsewhere = true: it is loaded on
 * another thread */
static int load(lua_State *L)
{
    struct error error;
    const char *folder = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    struct box *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (struct box){0};
    luaL_setmetatable(L, TYPE);
    unit_log_open(&box->log);
    struct registry_options options = {
        .folder = folder,
        .vm_memory = unit_vm_integer(L, 2, "memory", 16 * 1024 * 1024),
        .vm_cpu_us = unit_vm_integer(L, 2, "cpu_us", 1000 * 1000),
        .log = &box->log.log,
    };
    const struct findings findings = {add_finding, L};
    if (lua_getfield(L, 2, "findings") != LUA_TNIL) options.findings = &findings;
    lua_newtable(L);
    int list = lua_gettop(L);
    atomic_bool cut = true;
    if (lua_getfield(L, 2, "cut") != LUA_TNIL) options.cut = &cut;
    bool is_elsewhere = lua_getfield(L, 2, "elsewhere") != LUA_TNIL;
    lua_pop(L, 2);
    box->generation =
        is_elsewhere ? load_elsewhere(L, &options, &error) : registry_load(&options, &error);
    if (box->generation) {
        lua_pushvalue(L, 3);
    } else {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        unit_log_push(L, &box->log);
    }
    lua_pushvalue(L, list);
    return lua_gettop(L) - list;
}

static int release(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    registry_release(box->generation);
    box->generation = NULL;
    unit_log_close(&box->log);
    return 0;
}

/* hold(): one more reference; drop(): one less, never the last */
static int hold(lua_State *L)
{
    registry_hold(check(L)->generation);
    return 0;
}

static int drop(lua_State *L)
{
    registry_release(check(L)->generation);
    return 0;
}

static void push_offer(lua_State *L, const struct offer *offer)
{
    lua_createtable(L, 0, 4);
    lua_pushlstring(L, offer->key.p, offer->key.n);
    lua_setfield(L, -2, "key");
    lua_pushlstring(L, offer->name.p, offer->name.n);
    lua_setfield(L, -2, "name");
    lua_pushlstring(L, offer->json.p, offer->json.n);
    lua_setfield(L, -2, "json");
    lua_pushlstring(L, offer->script.p, offer->script.n);
    lua_setfield(L, -2, "script");
}

static enum offer_kind kind_at(lua_State *L, int at)
{
    static const char *const kinds[] = {"tool", "prompt", "resource", "resource_template", NULL};
    return (enum offer_kind)luaL_checkoption(L, at, "tool", kinds);
}

/* tools(kind): { { name, key, json, script }, … }; the kind defaults to "tool" */
static int tools(lua_State *L)
{
    struct generation *g = check(L)->generation;
    enum offer_kind kind = kind_at(L, 2);
    lua_newtable(L);
    for (size_t i = 0; i < registry_count(g, kind); i++) {
        push_offer(L, registry_at(g, kind, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* find(key, kind): the offer, or nil */
static int find(lua_State *L)
{
    struct bytes key;
    key.p = luaL_checklstring(L, 2, &key.n);
    const struct offer *offer = registry_find(check(L)->generation, kind_at(L, 3), key);
    if (offer)
        push_offer(L, offer);
    else
        lua_pushnil(L);
    return 1;
}

static int read_log(lua_State *L)
{
    return unit_log_push(L, &check(L)->log);
}

int unit_registry(lua_State *L)
{
    static const luaL_Reg functions[] = {{"load", load}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"tools", tools},  {"find", find},       {"hold", hold},    {"drop", drop},
        {"log", read_log}, {"release", release}, {"__gc", release}, {NULL, NULL},
    };
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
