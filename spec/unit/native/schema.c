#include <lauxlib.h>

#include "schema/schema.h"

int unit_schema(lua_State *L);

/* Parses the JSON text at `at`; raises when it is none. */
static const struct json *check_json(lua_State *L, int at, struct arena *arena)
{
    struct bytes text;
    struct json_error why;
    text.p = luaL_checklstring(L, at, &text.n);
    const struct json *v = json_parse(arena, text, &JSON_LIMITS, &why);
    if (!v) {
        arena_free(arena);
        luaL_error(L, "argument %d is no JSON: %s at %d", at, why.reason, (int)why.at);
    }
    return v;
}

static int flags(lua_State *L, int at)
{
    return lua_toboolean(L, at) ? SCHEMA_ASSERT_FORMAT : 0;
}

/* compile(schema, assert_format): warnings; or nil and the error */
static int compile(lua_State *L)
{
    struct arena arena = {0};
    struct buf warnings = {0};
    struct error error = {.text = ""};
    struct schema *s = schema_compile(check_json(L, 1, &arena), flags(L, 2), &warnings, &error);
    arena_free(&arena);
    bool ok = s != NULL;
    if (ok) {
        lua_pushlstring(L, buf_text(&warnings), warnings.n);
    } else {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
    }
    schema_free(s);
    buf_free(&warnings);
    return ok ? 1 : 2;
}

/* valid(schema, value, assert_format, name): whether, the reasons, and whether a run that asks for
 * no reasons says the same. The schema's own text is gone by the time it is used. */
static int valid(lua_State *L)
{
    struct arena arena = {0}, value_arena = {0};
    struct buf reasons = {0};
    struct error error;
    struct schema *s = schema_compile(check_json(L, 1, &arena), flags(L, 3), NULL, &error);
    arena_free(&arena);
    if (!s) return luaL_error(L, "%s", error.text);
    const struct json *value = check_json(L, 2, &value_arena);
    bool is = schema_valid(s, value, luaL_optstring(L, 4, "arguments"), &reasons);
    bool same = schema_valid(s, value, "arguments", NULL) == is;
    lua_pushboolean(L, is);
    lua_pushlstring(L, buf_text(&reasons), reasons.n);
    lua_pushboolean(L, same);
    schema_free(s);
    buf_free(&reasons);
    arena_free(&value_arena);
    return 3;
}

int unit_schema(lua_State *L)
{
    static const luaL_Reg functions[] = {{"compile", compile}, {"valid", valid}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
