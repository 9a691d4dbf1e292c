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

enum { MOST_KNOWN = 64 };

/* Compiles the schema at 1 with the documents of the table at `known`, texts by URI, if it is one.
 * The texts are gone by the time the schema is used. */
static struct schema *compile_text(lua_State *L, int flag_bits, int known, struct buf *warnings,
                                   struct error *error)
{
    struct arena arena = {0};
    struct schema_known documents[MOST_KNOWN];
    size_t n = 0;
    if (lua_istable(L, known)) {
        for (lua_pushnil(L); lua_next(L, known); lua_pop(L, 1)) {
            luaL_argcheck(L, n < MOST_KNOWN, known, "too many documents");
            documents[n].uri = bytes_of(lua_tostring(L, -2));
            documents[n++].root = check_json(L, -1, &arena);
        }
    }
    const struct json *root = check_json(L, 1, &arena);
    struct schema *s = schema_compile_among(root, flag_bits, documents, n, warnings, error);
    arena_free(&arena);
    return s;
}

/* compile(schema, assert_format, known): warnings; or nil and the error */
static int compile(lua_State *L)
{
    struct buf warnings = {0};
    struct error error = {.text = ""};
    struct schema *s = compile_text(L, flags(L, 2), 3, &warnings, &error);
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

/* Pushes whether the text at `at` is valid, the reasons, and whether a run that asks for no reasons
 * says the same. */
static int push_verdict(lua_State *L, const struct schema *s, int at, const char *name)
{
    struct arena arena = {0};
    struct buf reasons = {0};
    const struct json *value = check_json(L, at, &arena);
    bool is = schema_valid(s, value, name, &reasons);
    lua_pushboolean(L, is);
    lua_pushlstring(L, buf_text(&reasons), reasons.n);
    lua_pushboolean(L, schema_valid(s, value, name, NULL) == is);
    buf_free(&reasons);
    arena_free(&arena);
    return 3;
}

/* valid(schema, value, assert_format, name, known): see push_verdict */
static int valid(lua_State *L)
{
    struct error error;
    struct schema *s = compile_text(L, flags(L, 3), 5, NULL, &error);
    if (!s) return luaL_error(L, "%s", error.text);
    int n = push_verdict(L, s, 2, luaL_optstring(L, 4, "arguments"));
    schema_free(s);
    return n;
}

/* checker(schema, known, assert_format): a function of value and name that says what `valid` would,
 * for a schema that is large and used often */
static int check(lua_State *L)
{
    struct schema **s = lua_touserdata(L, lua_upvalueindex(1));
    return push_verdict(L, *s, 1, luaL_optstring(L, 2, "message"));
}

static int collect(lua_State *L)
{
    schema_free(*(struct schema **)lua_touserdata(L, 1));
    return 0;
}

static int checker(lua_State *L)
{
    struct error error;
    struct schema **s = lua_newuserdatauv(L, sizeof(struct schema *), 0);
    *s = NULL;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    *s = compile_text(L, flags(L, 3), 2, NULL, &error);
    if (!*s) return luaL_error(L, "%s", error.text);
    lua_pushcclosure(L, check, 1);
    return 1;
}

int unit_schema(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"compile", compile}, {"valid", valid}, {"checker", checker}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
