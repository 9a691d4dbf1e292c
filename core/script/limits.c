#include "script/limits.h"

#include "base/clock.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

/* What Lua raises when an allocation fails even after a full collection. */
static const char NO_MEMORY[] = "not enough memory";

static const char CPU_HIT[] = "CPU time used up (vm_cpu)";
static const char MEMORY_HIT[] = "memory used up (vm_memory)";

static bool is_used_up(struct limits *l)
{
    int64_t now_us = clock_cpu_us();
    if (l->until_us == 0) l->until_us = now_us + l->left_us;
    return now_us >= l->until_us;
}

/* The hook once the budget is used up. Where the thread can yield it is left for good: unwinding
 * it would take the square of its depth, since Lua walks what is left for every pcall on the way.
 */
static void stop(lua_State *L, lua_Debug *where)
{
    (void)where;
    if (lua_isyieldable(L))
        lua_yield(L, 0);
    else
        luaL_error(L, "%s", CPU_HIT);
}

static bool hit(lua_State *L)
{
    struct limits *l = limits_of(L);
    if (!l->running || !is_used_up(l)) return false;
    l->cpu_hit = true;
    lua_sethook(L, stop, LUA_MASKCOUNT, 1);
    return true;
}

void limits_check(lua_State *L)
{
    if (hit(L)) luaL_error(L, "%s", CPU_HIT);
}

static void check_cpu(lua_State *L, lua_Debug *where)
{
    if (hit(L)) stop(L, where);
}

/* Nothing may be raised from within an allocation: the next instruction does. */
static void check_later(struct limits *l)
{
    l->allocated = 0;
    if (l->running && !l->cpu_hit && is_used_up(l))
        lua_sethook(l->running, check_cpu, LUA_MASKCOUNT, 1);
}

static void *allocate(void *data, void *block, size_t old_size, size_t new_size)
{
    struct limits *l = data;
    size_t had = block ? old_size : 0; /* without a block, old_size is a type tag */
    if (new_size == 0) {
        free(block);
        l->used -= had;
        return NULL;
    }
    if (new_size > had && l->used + (new_size - had) > l->most) {
        l->memory_hit = true;
        check_later(l);
        return NULL;
    }
    void *grown = realloc(block, new_size);
    if (!grown) return NULL;
    l->used += new_size - had;
    l->allocated += new_size;
    if (l->allocated >= LIMITS_BYTES_EVERY) check_later(l);
    return grown;
}

lua_State *limits_new_state(struct limits *l)
{
    return lua_newstate(allocate, l);
}

struct limits *limits_of(lua_State *L)
{
    void *data;
    lua_getallocf(L, &data);
    return data;
}

void limits_start(lua_State *L, int64_t cpu_us)
{
    struct limits *l = limits_of(L);
    l->memory_hit = l->cpu_hit = false;
    l->left_us = cpu_us;
    l->until_us = 0;
    l->running = L;
    lua_sethook(L, check_cpu, LUA_MASKCOUNT, LIMITS_HOOK_EVERY);
}

int64_t limits_stop(lua_State *L)
{
    struct limits *l = limits_of(L);
    l->running = NULL;
    lua_sethook(L, NULL, 0, 0);
    if (l->until_us == 0) return l->left_us;
    int64_t left_us = l->until_us - clock_cpu_us();
    return left_us > 0 ? left_us : 0;
}

/* The text may have the place in front, where a pcall raised it again. */
static bool is_no_memory(lua_State *L)
{
    size_t n;
    if (lua_type(L, -1) != LUA_TSTRING) return false;
    const char *text = lua_tolstring(L, -1, &n);
    return n >= sizeof NO_MEMORY - 1 && strcmp(text + n - (sizeof NO_MEMORY - 1), NO_MEMORY) == 0;
}

const char *limits_hit(lua_State *L)
{
    const struct limits *l = limits_of(L);
    if (l->cpu_hit) return CPU_HIT;
    return l->memory_hit && is_no_memory(L) ? MEMORY_HIT : NULL;
}
