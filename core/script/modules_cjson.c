#include "script/modules_cjson.h"

#include "base/bytes.h"
#include "script/limits.h"

#include <dlfcn.h>
#include <lauxlib.h>
#include <string.h>

enum {
    DEEPEST = 1000,     /* what cjson itself goes down to */
    NUMBER_BYTES = 32,  /* a number or a name of a constant, with its comma */
    ELEMENT_BYTES = 80, /* of a table, or a table or a string of its own, while the table grows */
};

/* Returns the most that the text at `at` can be in JSON, between its quotes. */
static size_t string_bytes(lua_State *L, int at)
{
    size_t n;
    const unsigned char *p = (const unsigned char *)lua_tolstring(L, at, &n);
    size_t most = sizeof "\"\":,";
    for (size_t i = 0; i < n; i++) {
        bool control = p[i] < 0x20 || p[i] == 0x7f;
        most += control ? sizeof "\\u0000" - 1 : strchr("\"\\/", p[i]) ? 2 : 1;
    }
    return most;
}

static void measure(lua_State *L, int at, int depth, size_t *most);

/* Raw, as cjson goes through it. [-0, +0, error] */
static void measure_table(lua_State *L, int at, int depth, size_t *most)
{
    *most += sizeof "{},";
    if (depth >= DEEPEST) return;
    luaL_checkstack(L, 4, "too deep");
    lua_pushnil(L);
    while (lua_next(L, at)) {
        int top = lua_gettop(L);
        measure(L, top - 1, depth + 1, most);
        measure(L, top, depth + 1, most);
        lua_settop(L, top - 1);
    }
}

/* Adds to `most` what the value at `at` takes in JSON; raises when that is too much. A list has
 * nulls in its gaps: cjson refuses more of them than twice what is there. */
static void measure(lua_State *L, int at, int depth, size_t *most)
{
    if (lua_type(L, at) == LUA_TSTRING)
        *most += string_bytes(L, at);
    else if (lua_istable(L, at))
        measure_table(L, at, depth, most);
    else
        *most += NUMBER_BYTES;
    if (*most > MODULES_CJSON_BYTES) luaL_argerror(L, 1, "its text would be longer than 1 MiB");
}

/* Calls cjson's own function, the upvalue, with the one argument. */
static int call_original(lua_State *L)
{
    struct limits *l = limits_of(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    l->shielded = 1;
    lua_call(L, 1, 1);
    l->shielded = 0;
    return 1;
}

static int encode(lua_State *L)
{
    size_t most = 0;
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    measure(L, 1, 0, &most);
    limits_need(L, most);
    return call_original(L);
}

/* Each mark of the text stands for an element, a table or a string at most. */
static size_t decoded_bytes(struct bytes text)
{
    size_t most = 2 * text.n;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] && strchr("[{,:\"", text.p[i])) most += ELEMENT_BYTES;
    return most;
}

static int decode(lua_State *L)
{
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    luaL_argcheck(L, text.n <= MODULES_CJSON_BYTES, 1, "longer than 1 MiB");
    lua_settop(L, 1);
    limits_need(L, decoded_bytes(text));
    return call_original(L);
}

/* Puts `with` in front of a function of the instance on the top and sets that in the table below.
 * [-0, +0] */
static void set_bounded(lua_State *L, const char *name, lua_CFunction with)
{
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, with, 1);
    lua_setfield(L, -3, name);
}

void modules_cjson_push(lua_State *L)
{
    static const char *const kept[] = {"null", "_NAME", "_VERSION", NULL};
    void *library = dlopen("liblua5.4-cjson.so.0", RTLD_NOW | RTLD_LOCAL);
    union {
        void *object;
        lua_CFunction function;
    } open = {library ? dlsym(library, "luaopen_cjson") : NULL};
    if (!open.object) luaL_error(L, "cjson is not installed on this host (package lua-cjson)");
    lua_newtable(L);
    lua_pushcfunction(L, open.function);
    lua_call(L, 0, 1);
    lua_getfield(L, -1, "encode_keep_buffer");
    lua_pushboolean(L, 0);
    lua_call(L, 1, 0);
    for (const char *const *name = kept; *name; name++) {
        lua_getfield(L, -1, *name);
        lua_setfield(L, -3, *name);
    }
    set_bounded(L, "encode", encode);
    set_bounded(L, "decode", decode);
    lua_pop(L, 1);
}
