#include "script/api.h"

#include "base/nearest.h"
#include "prelude/prelude.h"
#include "script/api_ask.h"
#include "script/api_base64.h"
#include "script/api_ctx.h"
#include "script/api_form.h"
#include "script/api_uri.h"
#include "script/coroutines.h"
#include "script/finding.h"
#include "script/modules.h"
#include "script/prelude_code.h"
#include "script/registration.h"
#include "script/values.h"
#include "script/vm.h"

#include <lauxlib.h>
#include <string.h>

/* Registry keys, by address. */
static const char FAILURE = 0; /* the metatable of errors made here */
static const char HOST = 0;    /* the table of primitives */
static const char PARTS = 0;   /* the parts of the prelude already loaded, by name */
static const char GLOBALS = 0; /* the globals of the prelude */

/* Where runs enter the prelude: its part `call` has a function of each name. */
static const char *const ENTRIES[] = {"tool", "prompt", "resource", "resource_template",
                                      "complete"};
enum { ENTRY_COUNT = sizeof ENTRIES / sizeof ENTRIES[0] };
static const char ENTRY_KEYS[ENTRY_COUNT] = {0};

static const char PRELUDE_CHUNK[] = "=prelude/"; /* what the names of its chunks begin with */

enum { NEAREST_NAMES = 64 };

static int failure_tostring(lua_State *L)
{
    lua_getfield(L, 1, "text");
    return 1;
}

/* Raises a failure with the text on the top; its fields are plain strings, so that scripts can read
 * them too. [-1, +0] */
static int raise_failure(lua_State *L, const char *capability)
{
    lua_createtable(L, 0, 2);
    lua_insert(L, -2);
    lua_setfield(L, -2, "text");
    lua_pushstring(L, capability);
    lua_setfield(L, -2, "capability");
    lua_rawgetp(L, LUA_REGISTRYINDEX, &FAILURE);
    lua_setmetatable(L, -2);
    return lua_error(L);
}

int api_fail(lua_State *L, const char *text, const char *capability)
{
    lua_pushstring(L, text);
    return raise_failure(L, capability);
}

bool api_script_line(lua_State *L, lua_Debug *at)
{
    for (int level = 1; lua_getstack(L, level, at); level++) {
        lua_getinfo(L, "Sl", at);
        if (at->currentline > 0 && strncmp(at->source, PRELUDE_CHUNK, strlen(PRELUDE_CHUNK)) != 0)
            return true;
    }
    return false;
}

/* Pushes "scripts/x.lua:12: ", or nothing to read. [-0, +1] */
static void push_script_line(lua_State *L)
{
    lua_Debug at;
    if (api_script_line(L, &at))
        lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
    else
        lua_pushliteral(L, "");
}

int api_refuse(lua_State *L, const char *text)
{
    push_script_line(L);
    lua_pushstring(L, text);
    lua_concat(L, 2);
    return lua_error(L);
}

static bool failure_field(lua_State *L, const char *name, struct buf *out)
{
    if (!lua_istable(L, -1) || !lua_getmetatable(L, -1)) return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &FAILURE);
    bool ours = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    if (!ours) return false;
    /* lua_next instead of a look-up: pushing the name could run out of memory and raise. */
    bool found = false;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (!found && lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), name) == 0 &&
            lua_type(L, -1) == LUA_TSTRING) {
            struct bytes text;
            text.p = lua_tolstring(L, -1, &text.n);
            buf_add(out, text);
            found = true;
        }
        lua_pop(L, 1);
    }
    return found;
}

bool api_failure_text(lua_State *L, struct buf *out)
{
    return failure_field(L, "text", out);
}

bool api_failure_capability(lua_State *L, struct buf *out)
{
    return failure_field(L, "capability", out);
}

/* host.fail(text) */
static int fail(lua_State *L)
{
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    return raise_failure(L, NULL);
}

/* host.nearest(name, {known, …}) → the known name that was probably meant, or nil */
static int nearest(lua_State *L)
{
    const char *names[NEAREST_NAMES + 1] = {NULL};
    const char *name = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checkstack(L, NEAREST_NAMES + 1, NULL);
    for (int i = 0; i < NEAREST_NAMES; i++) {
        if (lua_rawgeti(L, 2, i + 1) != LUA_TSTRING) break;
        names[i] = lua_tostring(L, -1);
    }
    lua_pushstring(L, nearest_name(name, names));
    return 1;
}

/* host.script() → the script's name */
static int script(lua_State *L)
{
    lua_pushstring(L, vm_of(L)->name);
    return 1;
}

/* True if the script itself is ready for an error: a pcall is around, or a coroutine. */
static bool is_guarded(lua_State *L)
{
    lua_Debug at;
    bool guarded = L != vm_of(L)->L;
    for (int level = 1; !guarded && lua_getstack(L, level, &at); level++) {
        lua_getinfo(L, "f", &at);
        lua_CFunction function = lua_tocfunction(L, -1);
        guarded = function == coroutines_pcall || function == coroutines_xpcall;
        lua_pop(L, 1);
    }
    return guarded;
}

/* host.mistake(text): one of the script in what it registers, at its nearest line. While a whole
 * folder is loaded it is told and the script goes on, so that all of them are seen at once; the
 * load has failed all the same. */
static int mistake(lua_State *L)
{
    struct vm *vm = vm_of(L);
    lua_Debug at;
    struct finding f = {.text = bytes_of(luaL_checkstring(L, 1))};
    if (!vm->findings || vm->running || is_guarded(L)) return api_refuse(L, f.text.p);
    if (api_script_line(L, &at)) {
        f.file = bytes_of(at.source[0] == '@' ? at.source + 1 : at.short_src);
        f.line = at.currentline;
    }
    vm->findings->add(vm->findings->arg, &f);
    vm->mistaken = true;
    return 0;
}

/* host.loading() → whether the script loads, and may register */
static int loading(lua_State *L)
{
    lua_pushboolean(L, !vm_of(L)->running);
    return 1;
}

/* host.is_object(value) → whether it is written as a JSON object */
static int is_object(lua_State *L)
{
    bool object = lua_istable(L, 1) && lua_rawlen(L, 1) == 0;
    if (object && lua_getmetatable(L, 1)) {
        values_push_array_metatable(L);
        object = !lua_rawequal(L, -1, -2);
    }
    lua_pushboolean(L, object);
    return 1;
}

/* Pushes a copy of the table on the top. [-0, +1] */
static void push_copy(lua_State *L)
{
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, -3)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
}

/* The prelude has copies of the globals and their tables: a script that overwrites `type` breaks
 * nothing but itself. [-0, +0] */
static void open_globals(lua_State *L)
{
    lua_pushglobaltable(L);
    push_copy(L);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (lua_istable(L, -1)) {
            push_copy(L);
            lua_pushvalue(L, -3);
            lua_insert(L, -2);
            lua_rawset(L, -5);
        }
        lua_pop(L, 1);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &GLOBALS);
    lua_pop(L, 1);
}

/* [-0, +1]; runs one part of the prelude with the table of primitives */
static void run_part(lua_State *L, const struct prelude_part *part)
{
    const char *chunk = lua_pushfstring(L, "%s%s.lua", PRELUDE_CHUNK, part->name);
    if (prelude_code_load(vm_of(L)->prelude, L, part, chunk) != LUA_OK) lua_error(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &GLOBALS);
    lua_setupvalue(L, -2, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &HOST);
    lua_call(L, 1, 1);
    lua_remove(L, -2);
}

/* host.part(name) → another part of the prelude, loaded once */
static int part(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &PARTS);
    if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
    for (const struct prelude_part *p = PRELUDE; p->name; p++) {
        if (strcmp(p->name, name) != 0) continue;
        run_part(L, p);
        lua_pushvalue(L, -1);
        lua_setfield(L, 2, name);
        return 1;
    }
    return luaL_error(L, "the prelude has no part '%s'", name);
}

static void open_failure(lua_State *L)
{
    lua_newtable(L);
    lua_pushcfunction(L, failure_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &FAILURE);
}

void api_push_entry(lua_State *L, enum offer_kind kind, enum run_entry entry)
{
    size_t i = entry == RUN_COMPLETE ? ENTRY_COUNT - 1 : (size_t)kind;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &ENTRY_KEYS[i]);
}

/* The part `call` is on the top. [-0, +0] */
static void keep_entries(lua_State *L)
{
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        lua_getfield(L, -1, ENTRIES[i]);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &ENTRY_KEYS[i]);
    }
}

void api_open(lua_State *L)
{
    static const luaL_Reg primitives[] = {
        {"fail", fail}, {"is_object", is_object}, {"loading", loading}, {"nearest", nearest},
        {"part", part}, {"script", script},       {NULL, NULL}};
    static const luaL_Reg owning[] = {
        {"mistake", mistake}, {"register", registration_register}, {NULL, NULL}};
    open_failure(L);
    open_globals(L);
    values_open_json(L);
    luaL_setfuncs(L, primitives, 0);
    values_set_ordered(L);
    limits_set_shielded(L, owning);
    limits_set_shielded(L, API_CTX);
    limits_set_shielded(L, API_ASK);
    limits_set_shielded(L, API_BASE64);
    limits_set_shielded(L, API_URI);
    limits_set_shielded(L, API_FORM);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &HOST);
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &PARTS);
    lua_pushcfunction(L, part);
    lua_pushliteral(L, "mcp");
    lua_call(L, 1, 1);
    modules_set(L, "mcp");
    lua_pushcfunction(L, part);
    lua_pushliteral(L, "call");
    lua_call(L, 1, 1);
    keep_entries(L);
    lua_pop(L, 1);
}
