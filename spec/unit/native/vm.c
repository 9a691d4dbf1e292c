#include "vm.h"

#include "base/heap.h"
#include "script/values_write.h"
#include "script/watchdog.h"

#include <stdlib.h>

int unit_vm(lua_State *L);

#define TYPE "unit.vm"

struct box {
    struct vm *vm;
    struct watchdog *watchdog;
    struct unit_log log;
};

void unit_log_open(struct unit_log *l)
{
    l->log = (struct log){open_memstream(&l->text, &l->n), LOG_DEBUG};
}

void unit_log_close(struct unit_log *l)
{
    if (l->log.out) fclose(l->log.out);
    free(l->text);
    *l = (struct unit_log){0};
}

int unit_log_push(lua_State *L, struct unit_log *l)
{
    fflush(l->log.out);
    lua_pushlstring(L, l->text, l->n);
    return 1;
}

struct bytes unit_vm_field(lua_State *L, int at, const char *name)
{
    struct bytes text = {NULL, 0};
    lua_getfield(L, at, name);
    if (!lua_isnil(L, -1)) text.p = luaL_checklstring(L, -1, &text.n);
    lua_pop(L, 1);
    return text;
}

lua_Integer unit_vm_integer(lua_State *L, int at, const char *name, lua_Integer otherwise)
{
    lua_getfield(L, at, name);
    lua_Integer value = luaL_optinteger(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

struct vm *unit_vm_test(lua_State *L, int at)
{
    struct box *box = luaL_testudata(L, at, TYPE);
    return box ? box->vm : NULL;
}

static struct box *check(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    luaL_argcheck(L, box->vm, 1, "the VM is closed");
    return box;
}

/* new { name, folder, memory, cpu_us } → the VM, or nil and the error */
static int new_vm(lua_State *L)
{
    struct error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    struct box *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (struct box){0};
    luaL_setmetatable(L, TYPE);
    unit_log_open(&box->log);
    struct vm_options options = {
        .name = unit_vm_field(L, 1, "name"),
        .folder = unit_vm_field(L, 1, "folder"),
        .memory = unit_vm_integer(L, 1, "memory", 16 * 1024 * 1024),
        .cpu_us = unit_vm_integer(L, 1, "cpu_us", 1000 * 1000),
        .log = &box->log.log,
    };
    box->watchdog = options.watchdog = watchdog_new(NULL);
    box->vm = vm_new(&options, &error);
    if (box->vm) return 1;
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

static int close_vm(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    vm_free(box->vm);
    watchdog_free(box->watchdog);
    box->vm = NULL;
    box->watchdog = NULL;
    unit_log_close(&box->log);
    return 0;
}

/* [-1 of `from`, +1 of `L`]: a string as it is, nil as nil, all else as JSON text */
static void push_result(lua_State *L, lua_State *from)
{
    struct buf text = {0};
    struct error error = {.text = ""};
    struct bytes string;
    if (lua_isnil(from, -1)) {
        lua_pushnil(L);
    } else if (lua_type(from, -1) == LUA_TSTRING) {
        string.p = lua_tolstring(from, -1, &string.n);
        lua_pushlstring(L, string.p, string.n);
    } else if (values_write_value(from, -1, &text, &error) == 0) {
        lua_pushlstring(L, text.p, text.n);
    } else {
        lua_pushfstring(L, "no result that can be shown: %s", error.text);
    }
    buf_free(&text);
    lua_pop(from, 1);
}

/* run(path): true and what the file returns; or false and the error */
static int run(lua_State *L)
{
    struct vm *vm = check(L)->vm;
    struct error error;
    if (vm_run_file(vm, luaL_checkstring(L, 2), &error) == 0) {
        lua_pushboolean(L, 1);
        push_result(L, vm->L);
    } else {
        lua_pushboolean(L, 0);
        lua_pushstring(L, error.text);
    }
    return 2;
}

static int read_log(lua_State *L)
{
    return unit_log_push(L, &check(L)->log);
}

/* used(): bytes of the heap; height(): values left on its stack */
static int used(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)heap_counts(check(L)->vm->limits.heap).used);
    return 1;
}

static int height(lua_State *L)
{
    lua_pushinteger(L, lua_gettop(check(L)->vm->L));
    return 1;
}

static int raise_text(lua_State *L)
{
    return luaL_error(L, "%s", (const char *)lua_touserdata(L, 1));
}

static int raise_table(lua_State *L)
{
    lua_newtable(L);
    return lua_error(L);
}

static int do_nothing(lua_State *L)
{
    (void)L;
    return 0;
}

/* protect(kind, text): true; or nil and the error of a body that raises */
static int protect(lua_State *L)
{
    static const char *const kinds[] = {"text", "table", "nothing", NULL};
    static const lua_CFunction bodies[] = {raise_text, raise_table, do_nothing};
    struct vm *vm = check(L)->vm;
    struct error error;
    int kind = luaL_checkoption(L, 2, NULL, kinds);
    char *text = (char *)(size_t)luaL_optstring(L, 3, "");
    if (vm_protect(vm, bodies[kind], text, &error) == 0) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

int unit_vm(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_vm}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"run", run},         {"log", read_log},   {"used", used},     {"height", height},
        {"protect", protect}, {"close", close_vm}, {"__gc", close_vm}, {NULL, NULL},
    };
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
