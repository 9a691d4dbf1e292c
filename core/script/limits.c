#include "script/limits.h"

#include "base/clock.h"

#include <lauxlib.h>
#include <stdlib.h>

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
        return NULL;
    }
    void *grown = realloc(block, new_size);
    if (grown) l->used += new_size - had;
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

static void check_cpu(lua_State *L, lua_Debug *where)
{
    (void)where;
    struct limits *l = limits_of(L);
    int64_t now_us = clock_cpu_us();
    if (l->until_us == 0) l->until_us = now_us + l->cpu_us;
    if (now_us < l->until_us) return;
    l->cpu_hit = true;
    lua_sethook(L, check_cpu, LUA_MASKCOUNT, 1);
    luaL_error(L, "%s", limits_hit(l));
}

void limits_start(lua_State *L)
{
    struct limits *l = limits_of(L);
    l->memory_hit = l->cpu_hit = false;
    l->until_us = 0;
    lua_sethook(L, check_cpu, LUA_MASKCOUNT, LIMITS_HOOK_EVERY);
}

void limits_stop(lua_State *L)
{
    lua_sethook(L, NULL, 0, 0);
}

const char *limits_hit(const struct limits *l)
{
    if (l->cpu_hit) return "CPU time used up (vm_cpu)";
    if (l->memory_hit) return "memory used up (vm_memory)";
    return NULL;
}
