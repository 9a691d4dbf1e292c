/* A whole host without a transport, driven by hand: its clock, its loop and its clients are the
 * spec's. See spec/support/inside.lua for the Lua around it. */
#include "channel.h"

#include "base/clock.h"
#include "call/call.h"
#include "eras/legacy.h"
#include "host/config.h"
#include "host/worker.h"

#include <stdio.h>

int unit_host(lua_State *L);

#define TYPE "unit.host"

struct host {
    uv_loop_t loop;
    struct settings settings;
    struct log log;
    struct worker *worker;
    struct service *service; /* the worker's own */
    struct channel_exchange *open;
    bool stopped, closed;
    int told; /* how often lists were said to have changed */
    unsigned lists;
    void (*tell)(void *arg, unsigned lists); /* the worker's own, with its arg */
    void *tell_arg;
};

static struct host *check_host(lua_State *L)
{
    struct host *h = luaL_checkudata(L, 1, TYPE);
    luaL_argcheck(L, !h->closed, 1, "the host is closed");
    return h;
}

static void on_stopped(void *arg)
{
    ((struct host *)arg)->stopped = true;
}

static void turn_until_stopped(struct host *h)
{
    int64_t deadline = clock_mono_ms() + 10000;
    while (!h->stopped && clock_mono_ms() < deadline)
        uv_run(&h->loop, UV_RUN_ONCE);
}

/* Ends everything, whatever state it is in. Returns what could not be ended, or NULL. */
static const char *close_host(struct host *h)
{
    h->closed = true;
    while (h->open)
        channel_leave(h->open);
    if (h->worker && !h->service->stopping) worker_stop(h->worker, on_stopped, h);
    if (h->worker) turn_until_stopped(h);
    if (h->worker && !h->stopped) return "the worker did not stop";
    worker_free(h->worker);
    uv_run(&h->loop, UV_RUN_NOWAIT);
    config_free(&h->settings);
    if (h->log.out) fclose(h->log.out);
    return uv_loop_close(&h->loop) == 0 ? NULL : "the loop has handles left";
}

static int do_close(lua_State *L)
{
    const char *problem = close_host(check_host(L));
    return problem ? luaL_error(L, "%s", problem) : 0;
}

static int collect(lua_State *L)
{
    struct host *h = luaL_checkudata(L, 1, TYPE);
    if (!h->closed) close_host(h);
    return 0;
}

static int load(struct host *h, const struct config_flags *flags, const char *log,
                struct error *error)
{
    if (config_read(flags, &h->settings, error) != 0) return -1;
    if (h->settings.keys.n == 0) keys_fresh(&h->settings.keys);
    h->log = (struct log){fopen(log, "w"), LOG_DEBUG};
    struct generation *scripts =
        registry_load(&(struct registry_options){.folder = h->settings.scripts,
                                                 .vm_memory = h->settings.vm_memory,
                                                 .vm_cpu_us = h->settings.vm_cpu * 1000,
                                                 .log = &h->log},
                      error);
    if (!scripts) return -1;
    struct store *store = store_open(h->settings.store, false, error);
    if (store) h->worker = worker_new(&h->loop, &h->settings, &h->log, store, scripts);
    if (!store) registry_release(scripts);
    return store ? 0 : -1;
}

/* Feeds the exchange described by the table at `at`. [-0, +1] its record */
static struct channel_exchange *feed(lua_State *L, struct host *h, int at)
{
    struct channel_exchange *e = channel_push(L, at, &h->open);
    worker_feed(h->worker, &e->x);
    h->service = e->x.service;
    channel_sweep(&h->open);
    return e;
}

/* new(folder of scripts, store, log file) → host; its settings are the folder's host.lua */
static int new_host(lua_State *L)
{
    struct error error;
    struct config_flags flags = {.scripts = luaL_checkstring(L, 1),
                                 .store = luaL_checkstring(L, 2)};
    const char *log = luaL_checkstring(L, 3);
    struct host *h = lua_newuserdatauv(L, sizeof *h, 1);
    *h = (struct host){.closed = false};
    uv_loop_init(&h->loop);
    luaL_setmetatable(L, TYPE);
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    if (load(h, &flags, log, &error) != 0) return luaL_error(L, "%s", error.text);
    lua_newtable(L);
    lua_pushliteral(L, "GET");
    lua_setfield(L, -2, "verb");
    feed(L, h, lua_gettop(L)); /* refused, and tells us the service */
    lua_settop(L, -3);
    return 1;
}

/* h:feed{…} → record; see channel_push */
static int do_feed(lua_State *L)
{
    struct host *h = check_host(L);
    feed(L, h, 2);
    lua_getiuservalue(L, 1, 1); /* whoever drops the record does not hang up by that */
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
    return 1;
}

/* h:turn(): does what is there to be done */
static int turn(lua_State *L)
{
    struct host *h = check_host(L);
    uv_run(&h->loop, UV_RUN_NOWAIT);
    channel_sweep(&h->open);
    return 0;
}

/* h:wait(): waits for something to be done, and does it; the host's own tick ends it too */
static int wait_for_work(lua_State *L)
{
    struct host *h = check_host(L);
    uv_run(&h->loop, UV_RUN_ONCE);
    channel_sweep(&h->open);
    return 0;
}

/* h:reap(): takes in what the store's thread has done, and goes on with no call yet */
static int reap(lua_State *L)
{
    struct host *h = check_host(L);
    store_queue_reap(h->service->store);
    channel_sweep(&h->open);
    return 0;
}

/* h:tick(ms): what the worker does four times a second, as if it were `ms` later */
static int tick(lua_State *L)
{
    struct host *h = check_host(L);
    int64_t now_ms = clock_mono_ms() + luaL_checkinteger(L, 2);
    call_tick(h->service, now_ms);
    call_run_ready(h->service);
    legacy_tick(h->service, now_ms);
    channel_sweep(&h->open);
    return 0;
}

/* h:states() → { "reading", … } of the open calls, the newest first; `parked` and `ready` of them
 */
static int states(lua_State *L)
{
    static const char *const names[] = {"running", "reading", "asking", "committing"};
    const struct host *h = check_host(L);
    lua_Integer n = 0, ready = 0;
    lua_newtable(L);
    for (const struct call *c = h->service->calls; c; c = c->next) {
        lua_pushstring(L, names[c->state]);
        lua_rawseti(L, -2, ++n);
        ready += c->is_ready;
    }
    luaL_argcheck(L, n == h->service->call_count, 1, "the calls are miscounted");
    lua_pushinteger(L, h->service->parked);
    lua_pushinteger(L, ready);
    return 3;
}

/* h:listeners() → how many streams of subscriptions/listen the host holds */
static int listeners(lua_State *L)
{
    lua_pushinteger(L, check_host(L)->service->subscription_count);
    return 1;
}

/* h:seal_faults() → { [reason] = how often } */
static int seal_faults(lua_State *L)
{
    const struct host *h = check_host(L);
    lua_newtable(L);
    for (int i = 0; i < SEAL_FAULTS; i++) {
        if (h->service->seal_faults[i] == 0) continue;
        lua_pushinteger(L, (lua_Integer)h->service->seal_faults[i]);
        lua_setfield(L, -2, seal_fault_name((enum seal_fault)i));
    }
    return 1;
}

/* h:counters() → { [name] = n } */
static int counters(lua_State *L)
{
    const struct host *h = check_host(L);
    lua_newtable(L);
    for (int i = 0; i < COUNTERS; i++) {
        lua_pushinteger(L, h->service ? (lua_Integer)h->service->counters.n[i] : 0);
        lua_setfield(L, -2, counters_name((enum counter)i));
    }
    return 1;
}

struct rows {
    lua_State *L;
    lua_Integer n;
};

static int add_row(void *arg, struct bytes key, struct bytes value)
{
    struct rows *rows = arg;
    lua_pushlstring(rows->L, key.p, key.n);
    lua_pushliteral(rows->L, "=");
    lua_pushlstring(rows->L, value.p, value.n);
    lua_concat(rows->L, 3);
    lua_rawseti(rows->L, -2, ++rows->n);
    return 0;
}

/* h:rows(script, collection) → { "key=value", … }; while no job of the store is under way */
static int rows(lua_State *L)
{
    struct error error;
    const struct host *h = check_host(L);
    struct rows rows = {.L = L};
    struct bytes script = bytes_of(luaL_checkstring(L, 2));
    struct bytes collection = bytes_of(luaL_checkstring(L, 3));
    lua_newtable(L);
    if (store_list(store_queue_store(h->service->store), script, collection,
                   (struct bytes){NULL, 0}, STORE_LIST_ROWS, add_row, &rows, &error) != 0)
        return luaL_error(L, "%s", error.text);
    return 1;
}

/* h:stop(): begins to stop; h:stopped() tells when it has */
static int stop(lua_State *L)
{
    struct host *h = check_host(L);
    worker_stop(h->worker, on_stopped, h);
    channel_sweep(&h->open);
    return 0;
}

static int stopped(lua_State *L)
{
    lua_pushboolean(L, check_host(L)->stopped);
    return 1;
}

/* h:admit{ origin, origin_repeated, host } → "welcome", "bad origin" or "bad host" */
static int admit(lua_State *L)
{
    static const char *const verdicts[] = {"welcome", "bad origin", "bad host"};
    const struct host *h = check_host(L);
    struct worker_visit visit = {0};
    lua_getfield(L, 2, "origin");
    lua_getfield(L, 2, "host");
    lua_getfield(L, 2, "origin_repeated");
    visit.origin = bytes_of(lua_tostring(L, -3));
    visit.host = bytes_of(lua_tostring(L, -2));
    visit.origin_repeated = lua_toboolean(L, -1);
    lua_pushstring(L, verdicts[worker_admit(h->worker, &visit)]);
    return 1;
}

static void on_lists_changed(void *arg, unsigned lists)
{
    struct host *h = arg;
    h->told++;
    h->lists = lists;
    h->tell(h->tell_arg, lists);
}

static void count_changes(struct host *h)
{
    if (h->tell) return;
    h->tell = h->service->lists_changed;
    h->tell_arg = h->service->lists_changed_arg;
    h->service->lists_changed = on_lists_changed;
    h->service->lists_changed_arg = h;
}

/* h:changed() → the lists that were said to have changed last: 1 tools, 2 prompts, 4 resources */
static int changed(lua_State *L)
{
    lua_pushinteger(L, check_host(L)->lists);
    return 1;
}

/* h:begin_reload() → whether it goes on now */
static int begin_reload(lua_State *L)
{
    struct host *h = check_host(L);
    count_changes(h);
    worker_reload(h->worker);
    lua_pushboolean(L, worker_reloading(h->worker));
    return 1;
}

static void turn_until_reloaded(struct host *h)
{
    int64_t deadline = clock_mono_ms() + 10000;
    while (worker_reloading(h->worker) && clock_mono_ms() < deadline)
        uv_run(&h->loop, UV_RUN_ONCE);
    channel_sweep(&h->open);
}

/* h:reload() → whether it went well, the load error or nil, how often lists were said to have
 * changed; also waits for what h:begin_reload() began */
static int reload(lua_State *L)
{
    struct host *h = check_host(L);
    count_changes(h);
    uint64_t before = h->service->counters.n[COUNTER_RELOADS];
    if (!worker_reloading(h->worker)) worker_reload(h->worker);
    turn_until_reloaded(h);
    if (worker_reloading(h->worker)) return luaL_error(L, "the reload does not end");
    lua_pushboolean(L, h->service->counters.n[COUNTER_RELOADS] > before);
    lua_pushstring(L, worker_load_error(h->worker));
    lua_pushinteger(L, h->told);
    return 3;
}

int unit_host(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_host}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"feed", do_feed},
                                       {"turn", turn},
                                       {"wait", wait_for_work},
                                       {"reap", reap},
                                       {"tick", tick},
                                       {"states", states},
                                       {"rows", rows},
                                       {"stop", stop},
                                       {"seal_faults", seal_faults},
                                       {"admit", admit},
                                       {"stopped", stopped},
                                       {"close", do_close},
                                       {"reload", reload},
                                       {"changed", changed},
                                       {"listeners", listeners},
                                       {"counters", counters},
                                       {"begin_reload", begin_reload},
                                       {"__gc", collect},
                                       {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
