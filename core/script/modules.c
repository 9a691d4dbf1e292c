#include "script/modules.h"

#include "script/globals.h"
#include "script/modules_cjson.h"
#include "script/values.h"
#include "script/vm.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

/* Its address is the registry key of the table name → value; the value is that very address while
 * the module loads. */
static const char LOADED = 0;

void modules_set(lua_State *L, const char *name)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &LOADED);
    lua_insert(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

/* Letters, digits and _ in parts joined by dots: nothing that leads out of lib/. */
static bool well_named(const char *name)
{
    bool part = false;
    for (; *name; name++) {
        if (*name == '.') {
            if (!part) return false;
            part = false;
        } else if (isalnum((unsigned char)*name) || *name == '_') {
            part = true;
        } else {
            return false;
        }
    }
    return part;
}

/* Reads lib/a/b.lua for "a.b" into the VM's scratch. Returns its chunk name. [-0, +3] */
static const char *read_module(lua_State *L, const char *name)
{
    struct vm *vm = vm_of(L);
    struct error error;
    if (!well_named(name))
        luaL_error(L, "'%s' is no module name: letters, digits and _, parts joined by dots", name);
    const char *inside = luaL_gsub(L, name, ".", "/");
    const char *path = lua_pushfstring(L, "%s/lib/%s.lua", vm->folder, inside);
    const char *chunk = lua_pushfstring(L, "@%s/lib/%s.lua", vm_folder_name(vm), inside);
    buf_clear(&vm->scratch);
    if (vm_read_file(path, &vm->scratch, &error) != 0)
        luaL_error(L,
                   "module '%s' can't be read (%s); scripts can require mcp, json, cjson and "
                   "the files in lib/",
                   name, error.text);
    return chunk;
}

/* Leaves the module's value on the top. A module that failed is forgotten, so that requiring it
 * again tells the same reason. 1: its name, 2: the table of modules. [-0, +1 value] */
static void load_module(lua_State *L, const char *name)
{
    const char *chunk = read_module(L, name);
    if (vm_load_text(L, buf_bytes(&vm_of(L)->scratch), chunk) != LUA_OK) lua_error(L);
    globals_note(L, chunk);
    lua_pushlightuserdata(L, (void *)&LOADED);
    lua_setfield(L, 2, name);
    lua_pushvalue(L, 1);
    limits_unshield(L);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        lua_pushvalue(L, 1);
        lua_pushnil(L);
        lua_rawset(L, 2);
        lua_error(L);
    }
    if (lua_isnil(L, -1)) lua_pushboolean(L, 1);
}

static int require(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &LOADED);
    int type = lua_getfield(L, 2, name);
    if (lua_touserdata(L, 3) == &LOADED)
        return luaL_error(L, "module '%s' requires itself, directly or through another", name);
    if (type != LUA_TNIL) return 1;
    if (strcmp(name, "cjson") == 0)
        modules_cjson_push(L);
    else
        load_module(L, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
}

void modules_open(lua_State *L)
{
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &LOADED);
    values_open_json(L);
    modules_set(L, "json");
    limits_shield(L, require);
    lua_setglobal(L, "require");
}
