#include <lauxlib.h>

#include "call/staging.h"

int unit_staging(lua_State *L);

#define TYPE "unit.staging"

/* One call's writes over a store. */
struct bench {
    struct store *store;
    struct staging staging;
};

static struct bytes opt_bytes(lua_State *L, int at)
{
    struct bytes b = {NULL, 0};
    if (!lua_isnoneornil(L, at)) b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static struct bench *check(lua_State *L)
{
    struct bench *b = luaL_checkudata(L, 1, TYPE);
    luaL_argcheck(L, b->store, 1, "closed");
    return b;
}

/* [-0, +2] */
static int push_failure(lua_State *L, const struct error *error)
{
    lua_pushnil(L);
    lua_pushstring(L, error->text);
    return 2;
}

/* new(where) → the writes of a call of the script "s", over the store that `where` names */
static int new_bench(lua_State *L)
{
    struct error error;
    const char *where = luaL_checkstring(L, 1);
    struct bench *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (struct bench){.staging.script = BYTES("s")};
    luaL_setmetatable(L, TYPE);
    b->store = store_open(where, false, &error);
    return b->store ? 1 : luaL_error(L, "%s", error.text);
}

static int close_bench(lua_State *L)
{
    struct bench *b = luaL_checkudata(L, 1, TYPE);
    staging_free(&b->staging);
    store_close(b->store);
    b->store = NULL;
    return 0;
}

static int add(lua_State *L, enum store_write_kind kind)
{
    struct error error;
    const struct store_write w = {.kind = kind,
                                  .script = opt_bytes(L, 5),
                                  .collection = opt_bytes(L, 2),
                                  .key = opt_bytes(L, 3),
                                  .value = opt_bytes(L, 4)};
    if (staging_add(&check(L)->staging, &w, &error) != 0) return push_failure(L, &error);
    lua_pushboolean(L, true);
    return 1;
}

/* b:put(collection, key, value, script) → true | nil, why */
static int put(lua_State *L)
{
    return add(L, STORE_PUT);
}

static int delete (lua_State *L)
{
    return add(L, STORE_DELETE);
}

/* b:commit() → true | false (changed) | nil, why; the call has read and written nothing then */
static int commit(lua_State *L)
{
    struct error error;
    struct bench *b = check(L);
    int rc = staging_commit(&b->staging, b->store, NULL, 0, &error);
    if (rc < 0) return push_failure(L, &error);
    staging_free(&b->staging);
    lua_pushboolean(L, rc == 0);
    return 1;
}

/* b:meddle(collection, key, value): what another call commits meanwhile; no value deletes */
static int meddle(lua_State *L)
{
    struct error error;
    struct bytes value = opt_bytes(L, 4);
    const struct store_write w = {value.p ? STORE_PUT : STORE_DELETE, BYTES("s"), opt_bytes(L, 2),
                                  opt_bytes(L, 3), value};
    if (store_commit(check(L)->store, &w, 1, &error) != 0) return luaL_error(L, "%s", error.text);
    return 0;
}

static int push_read(lua_State *L, const struct run_read *read)
{
    struct error error;
    struct buf json = {0};
    struct bench *b = check(L);
    if (staging_read(&b->staging, b->store, read, &json, &error) != 0) {
        buf_free(&json);
        return push_failure(L, &error);
    }
    lua_pushstring(L, buf_text(&json));
    buf_free(&json);
    return 1;
}

/* b:get(collection, key, script) → JSON text, "" for no row | nil, why */
static int get(lua_State *L)
{
    return push_read(L, &(struct run_read){.kind = RUN_GET,
                                           .owner = opt_bytes(L, 4),
                                           .collection = opt_bytes(L, 2),
                                           .key = opt_bytes(L, 3)});
}

/* b:list(collection, limit, after, script) → JSON text | nil, why */
static int list(lua_State *L)
{
    return push_read(L, &(struct run_read){.kind = RUN_LIST,
                                           .owner = opt_bytes(L, 5),
                                           .collection = opt_bytes(L, 2),
                                           .key = opt_bytes(L, 4),
                                           .limit = luaL_optinteger(L, 3, STORE_LIST_ROWS)});
}

static int count(lua_State *L)
{
    return push_read(L, &(struct run_read){.kind = RUN_COUNT,
                                           .owner = opt_bytes(L, 3),
                                           .collection = opt_bytes(L, 2)});
}

int unit_staging(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_bench}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"put", put},          {"delete", delete}, {"commit", commit}, {"meddle", meddle},
        {"get", get},          {"list", list},     {"count", count},   {"close", close_bench},
        {"__gc", close_bench}, {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
