#include "script/values.h"

#include "schema/schema_range.h"
#include "script/values_write.h"
#include "script/vm.h"

#include <lauxlib.h>

static const char ARRAY_METATABLE = 0; /* its address is the registry key */

/* In the metatable of a table whose members have an order: its address is the key of their ranks.
 */
static const char ORDER = 0;

void values_open(lua_State *L)
{
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &ARRAY_METATABLE);
}

void values_push_array_metatable(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &ARRAY_METATABLE);
}

/* 1.0 is a float to Lua as it is to JSON's reader, though both would call it equal to 1. */
static void push_number(lua_State *L, const struct json *v)
{
    int64_t whole;
    double real = 0;
    if (v->integer && json_int(v, &whole)) {
        lua_pushinteger(L, whole);
        return;
    }
    json_double(v, &real);
    lua_pushnumber(L, real);
}

static void push_array(lua_State *L, const struct json *v)
{
    lua_createtable(L, (int)v->count, 0);
    lua_Integer i = 1;
    for (const struct json *e = json_first(v); e; e = json_next(v, e)) {
        values_push(L, e);
        lua_rawseti(L, -2, i++);
    }
    values_push_array_metatable(L);
    lua_setmetatable(L, -2);
}

static void push_object(lua_State *L, const struct json *v)
{
    lua_createtable(L, 0, (int)v->count);
    for (const struct json *k = json_first(v); k; k = json_next(v, k)) {
        lua_pushlstring(L, k->text.p, k->text.n);
        values_push(L, json_value(k));
        lua_rawset(L, -3);
    }
}

void values_push(lua_State *L, const struct json *v)
{
    luaL_checkstack(L, 4, "value too deep");
    if (!v) {
        lua_pushnil(L);
        return;
    }
    switch ((enum json_type)v->type) {
    case JSON_NULL:
        lua_pushlightuserdata(L, NULL);
        break;
    case JSON_FALSE:
    case JSON_TRUE:
        lua_pushboolean(L, v->type == JSON_TRUE);
        break;
    case JSON_NUMBER:
        push_number(L, v);
        break;
    case JSON_STRING:
        lua_pushlstring(L, v->text.p ? v->text.p : "", v->text.n);
        break;
    case JSON_ARRAY:
        push_array(L, v);
        break;
    case JSON_OBJECT:
        push_object(L, v);
        break;
    }
}

static bool out_of_range(const struct json *root, struct error *error)
{
    struct buf reason = {0};
    bool fits = schema_range_valid(root, "the value", &reason);
    if (!fits) error_set(error, "%s", buf_text(&reason));
    buf_free(&reason);
    return !fits;
}

/* The tape belongs to the VM: a memory error of Lua passes over it and leaks nothing. */
int values_push_text(lua_State *L, struct bytes text, struct error *error)
{
    struct arena *tape = &vm_of(L)->tape;
    struct json_error fault;
    arena_free(tape);
    const struct json *root = json_parse(tape, text, &JSON_LIMITS, &fault);
    if (!root) return error_set(error, "not JSON: %s at byte %zu", fault.reason, fault.at);
    if (out_of_range(root, error)) return -1;
    values_push(L, root);
    arena_free(tape);
    return 0;
}

/* What is written or read goes through the VM's scratch, not the C stack's frame: a Lua error in
 * between then leaks nothing. */
static int encode(lua_State *L)
{
    struct buf *text = &vm_of(L)->scratch;
    struct error error;
    luaL_checkany(L, 1);
    buf_clear(text);
    if (values_write_value(L, 1, text, &error) != 0) return luaL_error(L, "%s", error.text);
    lua_pushlstring(L, text->p, text->n);
    return 1;
}

static int decode(lua_State *L)
{
    struct bytes text;
    struct error error;
    text.p = luaL_checklstring(L, 1, &text.n);
    if (values_push_text(L, text, &error) != 0) return luaL_error(L, "%s", error.text);
    return 1;
}

/* Marks the table it is given, so that `mcp.array(list)` costs no copy. */
static int array(lua_State *L)
{
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    values_push_array_metatable(L);
    lua_setmetatable(L, 1);
    return 1;
}

/* host.ordered(fields, ranks): gives `fields` the order of `ranks`, which maps names to numbers. */
static int ordered(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_newtable(L);
    lua_insert(L, 2);
    lua_rawsetp(L, 2, &ORDER);
    lua_setmetatable(L, 1);
    return 1;
}

bool values_push_order(lua_State *L, int at)
{
    if (!lua_getmetatable(L, at)) return false;
    lua_rawgetp(L, -1, &ORDER);
    lua_remove(L, -2);
    if (lua_istable(L, -1)) return true;
    lua_pop(L, 1);
    return false;
}

void values_set_ordered(lua_State *L)
{
    lua_pushcfunction(L, ordered);
    lua_setfield(L, -2, "ordered");
}

int values_open_json(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"encode", encode}, {"decode", decode}, {"array", array}, {NULL, NULL}};
    lua_newtable(L);
    limits_set_shielded(L, functions);
    lua_pushlightuserdata(L, NULL);
    lua_setfield(L, -2, "null");
    return 1;
}
