#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "wire/json.h"

int unit_json(lua_State *L);

/* A text and its tape. The text is a copy of exactly its length, for ASan to watch the end. */
struct parsed {
    char *text;
    struct arena arena;
    const struct json *root;
    struct json_error error;
};

static void parsed_free(struct parsed *p)
{
    arena_free(&p->arena);
    free(p->text);
}

static void parse_at(lua_State *L, int at, const struct json_limits *limits, struct parsed *p)
{
    size_t n;
    const char *text = luaL_checklstring(L, at, &n);
    *p = (struct parsed){.text = mem_realloc(NULL, n ? n : 1)};
    memcpy(p->text, text, n);
    p->root = json_parse(&p->arena, (struct bytes){p->text, n}, limits, &p->error);
}

static int push_refusal(lua_State *L, const struct parsed *p)
{
    lua_pushnil(L);
    lua_pushstring(L, p->error.reason);
    lua_pushinteger(L, (lua_Integer)p->error.at);
    return 3;
}

static void set_bytes(lua_State *L, const char *field, struct bytes b)
{
    lua_pushlstring(L, b.p, b.n);
    lua_setfield(L, -2, field);
}

static void push_dump(lua_State *L, const struct json *v);

static void dump_inside(lua_State *L, const struct json *v)
{
    lua_Integer n = 0;
    lua_newtable(L);
    for (const struct json *e = json_first(v); e; e = json_next(v, e)) {
        push_dump(L, e);
        lua_rawseti(L, -2, ++n);
        if (!json_is(v, JSON_OBJECT)) continue;
        push_dump(L, json_value(e));
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "inside");
    lua_pushinteger(L, v->count);
    lua_setfield(L, -2, "count");
}

/* [-0, +1] {type, span, raw}; text and integer, or count and inside, as the type has it */
static void push_dump(lua_State *L, const struct json *v)
{
    static const char *const types[] = {"null",   "false", "true",  "number",
                                        "string", "array", "object"};
    luaL_checkstack(L, 8, NULL);
    lua_newtable(L);
    lua_pushstring(L, types[v->type]);
    lua_setfield(L, -2, "type");
    lua_pushinteger(L, v->span);
    lua_setfield(L, -2, "span");
    set_bytes(L, "raw", v->raw);
    if (v->type == JSON_NUMBER || v->type == JSON_STRING) set_bytes(L, "text", v->text);
    if (v->type == JSON_NUMBER) {
        lua_pushboolean(L, v->integer);
        lua_setfield(L, -2, "integer");
    }
    if (v->type == JSON_ARRAY || v->type == JSON_OBJECT) dump_inside(L, v);
}

/* parse(text, {depth, cells}?) -> dump | nil, reason, at */
static int parse(lua_State *L)
{
    struct parsed p;
    struct json_limits limits = JSON_LIMITS;
    if (lua_istable(L, 2)) {
        if (lua_getfield(L, 2, "depth") == LUA_TNUMBER)
            limits.depth = (unsigned)lua_tointeger(L, -1);
        if (lua_getfield(L, 2, "cells") == LUA_TNUMBER)
            limits.cells = (unsigned)lua_tointeger(L, -1);
    }
    parse_at(L, 1, &limits, &p);
    int n = 1;
    if (p.root)
        push_dump(L, p.root);
    else
        n = push_refusal(L, &p);
    parsed_free(&p);
    return n;
}

/* accepts(text) -> true | nil, reason, at: for texts whose dump would only cost time */
static int accepts(lua_State *L)
{
    struct parsed p;
    parse_at(L, 1, &JSON_LIMITS, &p);
    int n = 1;
    if (p.root)
        lua_pushboolean(L, true);
    else
        n = push_refusal(L, &p);
    parsed_free(&p);
    return n;
}

/* read(text, key…) -> what every reader says of the value at that path of members */
static int read(lua_State *L)
{
    struct parsed p;
    int64_t integer;
    double number;
    parse_at(L, 1, &JSON_LIMITS, &p);
    const struct json *v = p.root;
    for (int i = 2; i <= lua_gettop(L); i++)
        v = json_get(v, luaL_checkstring(L, i));
    lua_newtable(L);
    if (json_string(v).p) set_bytes(L, "string", json_string(v));
    if (json_int(v, &integer)) {
        lua_pushinteger(L, integer);
        lua_setfield(L, -2, "int");
    }
    if (json_double(v, &number)) {
        lua_pushnumber(L, number);
        lua_setfield(L, -2, "double");
    }
    lua_pushboolean(L, json_true(v));
    lua_setfield(L, -2, "is_true");
    lua_pushboolean(L, json_first(v) != NULL);
    lua_setfield(L, -2, "has_inside");
    if (v) set_bytes(L, "raw", v->raw);
    parsed_free(&p);
    return 1;
}

static int equal(lua_State *L)
{
    struct parsed a;
    struct parsed b;
    parse_at(L, 1, &JSON_LIMITS, &a);
    parse_at(L, 2, &JSON_LIMITS, &b);
    if (a.root && b.root)
        lua_pushboolean(L, json_equal(a.root, b.root));
    else
        lua_pushnil(L);
    parsed_free(&a);
    parsed_free(&b);
    return 1;
}

int unit_json(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"parse", parse}, {"accepts", accepts}, {"read", read}, {"equal", equal}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
