#include <lauxlib.h>

#include "script/grants_read.h"

int unit_grants(lua_State *L);

static struct bytes field(lua_State *L, int at, const char *name)
{
    struct bytes text = {NULL, 0};
    lua_getfield(L, at, name);
    if (lua_isstring(L, -1)) text.p = lua_tolstring(L, -1, &text.n);
    lua_pop(L, 1); /* it stays in the table */
    return text;
}

static int push_failure(lua_State *L, const struct error *error)
{
    lua_pushnil(L);
    lua_pushstring(L, error->text);
    return 2;
}

/* Reads the table of grants given as JSON text; *error tells why there is none. */
static struct grants *read_json(struct bytes text, const char *folder, struct error *error)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *table = json_parse(&arena, text, &JSON_LIMITS, &fault);
    struct grants *g = grants_read_table(table, folder, error);
    arena_free(&arena);
    return g;
}

static struct grants *check(lua_State *L, struct error *error)
{
    struct bytes text;
    text.p = luaL_checklstring(L, 1, &text.n);
    return read_json(text, luaL_checkstring(L, 2), error);
}

/* read(JSON, scripts folder) → { "script: kind name", … } | nil, why */
static int read(lua_State *L)
{
    struct error error;
    struct grants *g = check(L, &error);
    if (!g) return push_failure(L, &error);
    lua_newtable(L);
    for (size_t i = 0; i < grants_count(g); i++) {
        struct buf line = {0};
        buf_add(&line, grants_at(g, i)->script);
        buf_addz(&line, ": ");
        grants_describe(grants_at(g, i), &line);
        lua_pushlstring(L, line.p, line.n);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
        buf_free(&line);
    }
    grants_free(g);
    return 1;
}

/* find(JSON or nil for no grants, scripts folder, { kind, script, owner, name, write }) → the
 * grant's name | nil, why */
static int find(lua_State *L)
{
    static const char *const kinds[] = {"callback", "env", "http", "read", "store", NULL};
    struct error error;
    struct grants *g = lua_isnil(L, 1) ? NULL : check(L, &error);
    if (!g && !lua_isnil(L, 1)) return luaL_error(L, "%s", error.text);
    struct grant use = {.script = field(L, 3, "script"),
                        .owner = field(L, 3, "owner"),
                        .name = field(L, 3, "name")};
    lua_getfield(L, 3, "write");
    use.write = lua_toboolean(L, -1);
    lua_getfield(L, 3, "kind");
    use.kind = (enum grant_kind)luaL_checkoption(L, -1, NULL, kinds);
    const struct grant *grant = grants_find(g, &use, &error);
    if (grant) lua_pushlstring(L, grant->name.p, grant->name.n);
    grants_free(g);
    return grant ? 1 : push_failure(L, &error);
}

int unit_grants(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read}, {"find", find}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
