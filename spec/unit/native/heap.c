#include <lauxlib.h>
#include <lualib.h>

#include "base/heap.h"
#include "base/heap_area.h"
#include "base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HEAP_ASAN
#include <sanitizer/asan_interface.h>
#endif

int unit_heap(lua_State *L);

static const char TYPE[] = "heap";

/* A heap, and what should be in it: each block is filled with bytes that follow from its number. */
struct model {
    struct heap *heap;
    struct block {
        unsigned char *p;
        size_t n;
    } * blocks;
    size_t count;
};

static struct model *check_model(lua_State *L)
{
    return luaL_checkudata(L, 1, TYPE);
}

static struct block *check_block(lua_State *L, struct model *m)
{
    lua_Integer i = luaL_checkinteger(L, 2);
    luaL_argcheck(L, i >= 1 && (size_t)i <= m->count, 2, "no such block");
    return &m->blocks[i - 1];
}

static size_t check_size(lua_State *L, int at)
{
    return (size_t)luaL_checkinteger(L, at);
}

static unsigned char content(size_t i, size_t at)
{
    return (unsigned char)(i * 31 + at * 7 + (at >> 8));
}

static void fill(struct model *m, struct block *b)
{
    for (size_t at = 0; at < b->n; at++)
        b->p[at] = content((size_t)(b - m->blocks), at);
}

static bool holds(struct model *m, const struct block *b, size_t n)
{
    if ((uintptr_t)b->p % _Alignof(max_align_t) != 0) return false;
    for (size_t at = 0; at < n; at++)
        if (b->p[at] != content((size_t)(b - m->blocks), at)) return false;
    return true;
}

/* new(most, reserve) → a heap, or nil */
static int new (lua_State *L)
{
    struct model *m = lua_newuserdatauv(L, sizeof *m, 0);
    *m = (struct model){0};
    luaL_setmetatable(L, TYPE);
    m->heap = heap_new(check_size(L, 1), check_size(L, 2));
    if (!m->heap) lua_pushnil(L);
    return 1;
}

static int drop_all(lua_State *L)
{
    struct model *m = check_model(L);
    heap_free(m->heap);
    free(m->blocks);
    *m = (struct model){0};
    return 0;
}

/* h:take(n) → the number of the new block, or nil */
static int take(lua_State *L)
{
    struct model *m = check_model(L);
    size_t n = check_size(L, 2);
    unsigned char *p = heap_realloc(m->heap, NULL, LUA_TSTRING, n);
    if (!p) return 0;
    if ((m->count & (m->count + 1)) == 0)
        m->blocks = mem_realloc(m->blocks, (2 * m->count + 1) * sizeof *m->blocks);
    m->blocks[m->count++] = (struct block){p, n};
    fill(m, &m->blocks[m->count - 1]);
    lua_pushinteger(L, (lua_Integer)m->count);
    return 1;
}

/* h:resize(block, n) → whether it was done; raises if the contents were lost */
static int resize(lua_State *L)
{
    struct model *m = check_model(L);
    struct block *b = check_block(L, m);
    size_t n = check_size(L, 3);
    size_t kept = n < b->n ? n : b->n;
    unsigned char *p = heap_realloc(m->heap, b->p, b->n, n);
    if (p || n == 0) *b = (struct block){p, n};
    if (!holds(m, b, p || n == 0 ? kept : b->n)) return luaL_error(L, "lost the contents");
    fill(m, b);
    lua_pushboolean(L, p || n == 0);
    return 1;
}

static int intact(lua_State *L)
{
    struct model *m = check_model(L);
    bool all = true;
    for (size_t i = 0; i < m->count; i++)
        all = all && holds(m, &m->blocks[i], m->blocks[i].n);
    lua_pushboolean(L, all);
    return 1;
}

static void push_counts(lua_State *L, const struct heap *h)
{
    struct heap_counts c = heap_counts(h);
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, (lua_Integer)c.used);
    lua_setfield(L, -2, "used");
    lua_pushinteger(L, (lua_Integer)c.peak);
    lua_setfield(L, -2, "peak");
    lua_pushinteger(L, (lua_Integer)c.pages);
    lua_setfield(L, -2, "pages");
    lua_pushinteger(L, (lua_Integer)c.failed);
    lua_setfield(L, -2, "failed");
}

static int counts(lua_State *L)
{
    push_counts(L, check_model(L)->heap);
    return 1;
}

static int use_reserve(lua_State *L)
{
    heap_use_reserve(check_model(L)->heap, lua_toboolean(L, 2));
    return 0;
}

static int reset_failed(lua_State *L)
{
    heap_reset_failed(check_model(L)->heap);
    return 0;
}

static int trim(lua_State *L)
{
    heap_trim(check_model(L)->heap);
    return 0;
}

/* h:dropped_is_hidden(n) → whether a sanitizer would report a use after free; nil without one */
static int dropped_is_hidden(lua_State *L)
{
#ifdef HEAP_ASAN
    struct model *m = check_model(L);
    size_t n = check_size(L, 2);
    char *p = heap_realloc(m->heap, NULL, 0, n);
    bool shown = !__asan_address_is_poisoned(p) && !__asan_address_is_poisoned(p + n - 1);
    bool beyond = __asan_address_is_poisoned(p + n);
    heap_realloc(m->heap, p, n, 0);
    lua_pushboolean(L, shown && beyond && __asan_address_is_poisoned(p + n - 1));
    return 1;
#else
    (void)L;
    return 0;
#endif
}

__attribute__((no_sanitize("address"))) static void overwrite(volatile char *p)
{
    for (int at = 0; at < 8; at++)
        p[at] = 1;
}

static void forge_a_link(struct heap *h)
{
    char *first = heap_realloc(h, NULL, 0, 32);
    heap_realloc(h, first, 32, 0);
    overwrite(first);
    heap_realloc(h, NULL, 0, 32);
}

static void free_twice(struct heap *h)
{
    char *p = heap_realloc(h, NULL, 0, 5000);
    heap_realloc(h, NULL, 0, 5000);
    heap_realloc(h, p, 5000, 0);
    heap_realloc(h, p, 5000, 0);
}

/* died(how) → the number of the signal that ended a process which damaged its heap so, or 0 */
static int died(lua_State *L)
{
    bool forge = strcmp(luaL_checkstring(L, 1), "forge") == 0;
    int status;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        struct heap *h = heap_new(1 << 20, 0);
        (forge ? forge_a_link : free_twice)(h);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child) return luaL_error(L, "no child");
    lua_pushinteger(L, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return 1;
}

/* The handler of a signal is given no context. */
static sigjmp_buf abandoned;

static void abandon(int signal_number)
{
    (void)signal_number;
    siglongjmp(abandoned, 1);
}

/* Allocates and frees blocks of all sizes, for ever. */
static void busy(struct heap *h)
{
    enum { SLOTS = 64 };
    void *p[SLOTS] = {0};
    size_t n[SLOTS] = {0};
    for (uint32_t random = 1;; random = random * 1664525 + 1013904223) {
        size_t i = random >> 26;
        size_t wanted = (size_t)1 << (random >> 8) % 21;
        void *moved = heap_realloc(h, p[i], n[i], wanted);
        if (moved) {
            p[i] = moved;
            n[i] = wanted;
        }
    }
}

static void abandon_once(void)
{
    struct itimerval soon = {.it_value = {.tv_usec = 300}};
    struct heap *volatile h = heap_new(16 << 20, 1 << 20);
    if (sigsetjmp(abandoned, 1) == 0) {
        setitimer(ITIMER_REAL, &soon, NULL);
        busy(h);
    }
    heap_free(h);
}

/* abandon(times): that often, a heap is freed which was interrupted at its work */
static int abandon_busy(lua_State *L)
{
    struct sigaction ours = {.sa_handler = abandon};
    struct sigaction old;
    lua_Integer times = luaL_checkinteger(L, 1);
    sigaction(SIGALRM, &ours, &old);
    while (times-- > 0)
        abandon_once();
    sigaction(SIGALRM, &old, NULL);
    return 0;
}

static void *allocate(void *heap, void *p, size_t old_size, size_t new_size)
{
    return heap_realloc(heap, p, old_size, new_size);
}

/* The code is kept, so that it makes no room when it has run. */
static int open_and_run(lua_State *vm)
{
    luaL_openlibs(vm);
    if (luaL_loadstring(vm, lua_touserdata(vm, 1)) != LUA_OK) return lua_error(vm);
    lua_pushvalue(vm, -1);
    luaL_ref(vm, LUA_REGISTRYINDEX);
    lua_call(vm, 0, 1);
    return 1;
}

static int add_coroutine(lua_State *vm)
{
    lua_newthread(vm);
    return 1;
}

/* run(most, reserve, code) → the result or the error as a string, the counts, and whether the host
 * can still make a coroutine, without the reserve and with it. The VM is dropped whole. */
static int run(lua_State *L)
{
    char *code = (char *)(uintptr_t)luaL_checkstring(L, 3);
    struct heap *h = heap_new(check_size(L, 1), check_size(L, 2));
    lua_State *vm = lua_newstate(allocate, h);
    if (!vm) return luaL_error(L, "no room for a VM");
    lua_pushcfunction(vm, open_and_run);
    lua_pushcfunction(vm, add_coroutine);
    lua_pushvalue(vm, -1);
    lua_pushvalue(vm, -3);
    lua_pushlightuserdata(vm, code);
    lua_pcall(vm, 1, 1, 0);
    lua_pushstring(L, lua_type(vm, -1) == LUA_TSTRING ? lua_tostring(vm, -1) : "");
    push_counts(L, h);
    lua_pop(vm, 1);
    lua_gc(vm, LUA_GCSTOP);
    lua_pushboolean(L, lua_pcall(vm, 0, 0, 0) == LUA_OK);
    heap_use_reserve(h, true);
    lua_settop(vm, 1);
    lua_pushcfunction(vm, add_coroutine);
    lua_pushboolean(L, lua_pcall(vm, 0, 0, 0) == LUA_OK);
    heap_free(h);
    return 4;
}

int unit_heap(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"new", new}, {"run", run}, {"died", died}, {"abandon", abandon_busy}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"take", take},
                                       {"resize", resize},
                                       {"intact", intact},
                                       {"counts", counts},
                                       {"use_reserve", use_reserve},
                                       {"reset_failed", reset_failed},
                                       {"trim", trim},
                                       {"dropped_is_hidden", dropped_is_hidden},
                                       {"free", drop_all},
                                       {"__gc", drop_all},
                                       {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
