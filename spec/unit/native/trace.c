#include "wire/trace.h"

#include <lauxlib.h>

int unit_trace(lua_State *L);

/* is(what, value): "parent", "state" or "baggage" */
static int is(lua_State *L)
{
    static const char *const whats[] = {"parent", "state", "baggage", NULL};
    static bool (*const tests[])(struct bytes) = {trace_is_parent, trace_is_state,
                                                  trace_is_baggage};
    struct bytes value;
    int what = luaL_checkoption(L, 1, NULL, whats);
    value.p = luaL_checklstring(L, 2, &value.n);
    lua_pushboolean(L, tests[what](value));
    return 1;
}

/* read(_meta as JSON text) → the text, the faults */
static int read(lua_State *L)
{
    struct arena arena = {0};
    struct json_error why;
    struct bytes json;
    char text[TRACE_TEXT_BYTES];
    json.p = luaL_checklstring(L, 1, &json.n);
    unsigned faults = trace_read(json_parse(&arena, json, &JSON_LIMITS, &why), text);
    arena_free(&arena);
    lua_pushstring(L, text);
    lua_pushinteger(L, faults);
    return 2;
}

int unit_trace(lua_State *L)
{
    static const luaL_Reg functions[] = {{"is", is}, {"read", read}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
