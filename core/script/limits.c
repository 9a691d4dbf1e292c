#include "script/limits.h"

#include "base/clock.h"
#include "base/heap.h"
#include "script/watchdog.h"

#include <lauxlib.h>
#include <poll.h>
#include <string.h>

/* What Lua raises when an allocation fails even after a full collection. */
static const char NO_MEMORY[] = "not enough memory";

static const char CPU_HIT[] = "CPU time used up (vm_cpu)";
static const char MEMORY_HIT[] = "memory used up (vm_memory)";
static const char CLIENT_LEFT[] = "the client has left";

static bool can_yield(const struct limits *l, lua_State *L)
{
    return l->yieldable && lua_isyieldable(L);
}

static int raise_reason(lua_State *L)
{
    lua_pushstring(L, limits_of(L)->stopped); /* interned long ago: allocates nothing new */
    return lua_error(L);
}

/* Where the thread can yield it is left for good: unwinding it would take the square of its depth,
 * since Lua walks what is left for every pcall on the way. */
int limits_raise(lua_State *L)
{
    if (can_yield(limits_of(L), L)) return lua_yield(L, 0);
    return raise_reason(L);
}

/* The hook once a limit is hit; in a hook, lua_yield returns. */
static void stop(lua_State *L, lua_Debug *where)
{
    (void)where;
    if (can_yield(limits_of(L), L))
        lua_yield(L, 0);
    else
        raise_reason(L);
}

static bool in_c(lua_State *L)
{
    lua_Debug here;
    return lua_getstack(L, 0, &here) && lua_getinfo(L, "S", &here) && *here.what == 'C';
}

/* The hook of a run that has had its share of time. Loops in C call it by hand, to be
 * stopped: a yield there would end their function without its results. */
static void slice(lua_State *L, lua_Debug *where)
{
    (void)where;
    struct limits *l = limits_of(L);
    if (in_c(L)) return;
    lua_sethook(L, NULL, 0, 0);
    if (!can_yield(l, L)) return;
    l->sliced = true;
    lua_yield(L, 0);
}

static void end(struct limits *l, const char *reason)
{
    l->stopped = reason;
    l->stop = 1;
    if (l->current && lua_gethook(l->current) != stop)
        lua_sethook(l->current, stop, LUA_MASKCOUNT, 1);
}

/* Lua walks every frame to arm a hook: deep in a recursion that takes milliseconds, and must not
 * be all that a run is busy with. */
static void arm_slice(struct limits *l, int64_t now_us)
{
    enum { SHARE = 50 };
    if (!l->slices || now_us < l->slice_us) return;
    lua_sethook(l->current, slice, LUA_MASKCOUNT, 1);
    l->slice_us = now_us + SHARE * (clock_cpu_us() - now_us);
}

bool limits_hung_up(int fd)
{
    struct pollfd at = {.fd = fd, .events = POLLRDHUP};
    return fd >= 0 && poll(&at, 1, 0) == 1 && at.revents;
}

/* A run that had its turn and did not give way. */
static void look(struct limits *l, int64_t now_us)
{
    if (!l->stopped && limits_hung_up(l->hangup_fd)) {
        l->stopped = CLIENT_LEFT;
        l->abandoned = true;
    }
    if (l->stopped)
        end(l, l->stopped);
    else
        arm_slice(l, now_us);
}

void limits_tick(struct limits *l)
{
    int64_t now_us = clock_cpu_us();
    if (!l->current) return;
    if (l->until_us == 0) {
        l->until_us = now_us + l->left_us; /* the run may have begun just now */
        if (l->left_us > 0) return;
    }
    if (now_us < l->until_us) {
        look(l, now_us);
        return;
    }
    if (!l->stopped) l->stopped = CPU_HIT;
    if (now_us >= l->until_us + LIMITS_GRACE_MS * 1000 && l->can_escape && !l->shielded)
        siglongjmp(l->escape, 1);
    end(l, l->stopped);
}

void limits_check(lua_State *L)
{
    if (limits_of(L)->stopped) limits_raise(L);
}

static void *allocate(void *data, void *block, size_t old_size, size_t new_size)
{
    struct limits *l = data;
    void *grown = heap_realloc(l->heap, block, old_size, new_size);
    if (grown || new_size == 0) return grown;
    l->memory_hit = true;
    if (heap_counts(l->heap).failed > LIMITS_FAILED_ALLOCATIONS) end(l, MEMORY_HIT);
    return NULL;
}

/* The texts are made now: raising one later must not need memory. */
static int intern(lua_State *L)
{
    lua_pushstring(L, CPU_HIT);
    luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushstring(L, MEMORY_HIT);
    luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushstring(L, CLIENT_LEFT);
    luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

lua_State *limits_new_state(struct limits *l, size_t most)
{
    l->most = most;
    l->heap = heap_new(most, LIMITS_RESERVE_BYTES);
    lua_State *L = l->heap ? lua_newstate(allocate, l) : NULL;
    if (!L) return NULL;
    lua_pushcfunction(L, intern);
    if (lua_pcall(L, 0, 0, 0) == LUA_OK) return L;
    lua_close(L);
    return NULL;
}

struct limits *limits_of(lua_State *L)
{
    void *data;
    lua_getallocf(L, &data);
    return data;
}

void limits_close(struct limits *l, lua_State *L)
{
    if (L && !l->dead) lua_close(L);
    heap_free(l->heap);
}

void limits_use_reserve(struct limits *l, bool on)
{
    heap_use_reserve(l->heap, on);
}

void limits_start(lua_State *L, int64_t cpu_us, int hangup_fd, bool is_long)
{
    struct limits *l = limits_of(L);
    l->memory_hit = l->sliced = l->abandoned = false;
    l->hangup_fd = hangup_fd;
    l->yieldable = true;
    l->stopped = NULL;
    l->stop = 0;
    l->shielded = 0;
    l->left_us = cpu_us;
    l->until_us = is_long ? clock_cpu_us() + cpu_us : 0;
    heap_reset_failed(l->heap);
    l->current = L;
    watchdog_watch(l->watchdog, l);
    if (is_long) watchdog_look_soon(l->watchdog);
}

int64_t limits_stop(struct limits *l)
{
    lua_State *L = l->current;
    watchdog_watch(l->watchdog, NULL);
    l->current = NULL;
    l->can_escape = 0;
    if (L && !l->dead) lua_sethook(L, NULL, 0, 0);
    if (l->until_us == 0) return l->left_us;
    int64_t left_us = l->until_us - clock_cpu_us();
    return left_us > 0 ? left_us : 0;
}

void limits_bury(struct limits *l)
{
    l->dead = true;
    watchdog_watch(l->watchdog, NULL);
    watchdog_unblock();
}

static bool has_room(const struct limits *l, size_t n)
{
    size_t used = heap_counts(l->heap).used;
    return used <= l->most && n <= l->most - used;
}

void limits_need(lua_State *L, size_t n)
{
    enum { SPARE = 128 * 1024 };
    struct limits *l = limits_of(L);
    if (has_room(l, n + SPARE)) return;
    lua_gc(L, LUA_GCCOLLECT);
    if (has_room(l, n + SPARE)) return;
    l->memory_hit = true;
    lua_pushstring(L, NO_MEMORY);
    lua_error(L);
}

bool limits_crowded(struct limits *l, lua_State *L)
{
    lua_gc(L, LUA_GCCOLLECT);
    return heap_counts(l->heap).used > l->most / 2;
}

void limits_tidy(struct limits *l, lua_State *L)
{
    lua_gc(L, LUA_GCCOLLECT);
    heap_trim(l->heap);
}

static int shielded(lua_State *L)
{
    struct limits *l = limits_of(L);
    l->shielded = 1;
    int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
    l->shielded = 0;
    return results;
}

void limits_shield(lua_State *L, lua_CFunction f)
{
    lua_pushcfunction(L, f);
    lua_pushcclosure(L, shielded, 1);
}

void limits_set_shielded(lua_State *L, const luaL_Reg *functions)
{
    for (const luaL_Reg *f = functions; f->name; f++) {
        limits_shield(L, f->func);
        lua_setfield(L, -2, f->name);
    }
}

void limits_unshield(lua_State *L)
{
    limits_of(L)->shielded = 0;
}

/* The text may have the place in front, where a pcall raised it again. */
static bool is_no_memory(lua_State *L)
{
    size_t n;
    if (lua_type(L, -1) != LUA_TSTRING) return false;
    const char *text = lua_tolstring(L, -1, &n);
    return n >= sizeof NO_MEMORY - 1 && strcmp(text + n - (sizeof NO_MEMORY - 1), NO_MEMORY) == 0;
}

bool limits_is_memory(const char *hit)
{
    return hit == MEMORY_HIT;
}

const char *limits_hit(lua_State *L)
{
    const struct limits *l = limits_of(L);
    if (l->stopped) return l->stopped;
    return l->memory_hit && is_no_memory(L) ? MEMORY_HIT : NULL;
}
