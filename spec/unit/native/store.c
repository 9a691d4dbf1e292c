#include <lauxlib.h>

#include "store/store.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

int unit_store(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static struct store **check_store(lua_State *L)
{
    struct store **s = luaL_checkudata(L, 1, "store");
    luaL_argcheck(L, *s, 1, "the store is closed");
    return s;
}

/* [-0, +2] */
static int push_failure(lua_State *L, const struct error *error)
{
    lua_pushnil(L);
    lua_pushstring(L, error->text);
    return 2;
}

/* open(where, read_only) → store | nil, why */
static int open_store(lua_State *L)
{
    struct error error;
    lua_settop(L, 2);
    struct store **s = lua_newuserdatauv(L, sizeof(struct store *), 0);
    *s = store_open(luaL_checkstring(L, 1), lua_toboolean(L, 2), &error);
    if (!*s) return push_failure(L, &error);
    luaL_setmetatable(L, "store");
    return 1;
}

static int close_store(lua_State *L)
{
    struct store **s = luaL_checkudata(L, 1, "store");
    store_close(*s);
    *s = NULL;
    return 0;
}

/* s:get(script, collection, key) → value | nil | nil, why */
static int get(lua_State *L)
{
    struct error error;
    struct buf value = {0};
    bool found;
    if (store_get(*check_store(L), check_bytes(L, 2), check_bytes(L, 3), check_bytes(L, 4), &value,
                  &found, &error))
        return push_failure(L, &error);
    lua_pushnil(L);
    if (found) lua_pushlstring(L, value.p, value.n);
    buf_free(&value);
    return 1;
}

struct rows {
    lua_State *L;
    lua_Integer n, stop_at;
};

static int add_row(void *arg, struct bytes key, struct bytes value)
{
    struct rows *rows = arg;
    lua_pushlstring(rows->L, key.p, key.n);
    lua_pushliteral(rows->L, "=");
    lua_pushlstring(rows->L, value.p, value.n);
    lua_concat(rows->L, 3);
    lua_rawseti(rows->L, -2, ++rows->n);
    return rows->n == rows->stop_at;
}

/* s:list(script, collection, after, limit, stop_at) → { "key=value", … } | nil, why */
static int list(lua_State *L)
{
    struct error error;
    struct store *s = *check_store(L);
    struct bytes after = bytes_of(luaL_optstring(L, 4, NULL));
    lua_Integer limit = luaL_optinteger(L, 5, STORE_LIST_ROWS);
    struct rows rows = {.L = L, .stop_at = luaL_optinteger(L, 6, 0)};
    lua_settop(L, 5);
    lua_newtable(L);
    if (store_list(s, check_bytes(L, 2), check_bytes(L, 3), after, (size_t)limit, add_row, &rows,
                   &error))
        return push_failure(L, &error);
    return 1;
}

static int add_names(void *arg, struct bytes script, struct bytes collection)
{
    struct rows *rows = arg;
    return add_row(rows, script, collection);
}

/* s:names(stop_at) → { "script=collection", … } | nil, why */
static int names(lua_State *L)
{
    struct error error;
    struct store *s = *check_store(L);
    struct rows rows = {.L = L, .stop_at = luaL_optinteger(L, 2, 0)};
    lua_newtable(L);
    if (store_names(s, add_names, &rows, &error)) return push_failure(L, &error);
    return 1;
}

/* s:count(script, collection) → n | nil, why */
static int count(lua_State *L)
{
    struct error error;
    int64_t n;
    if (store_count(*check_store(L), check_bytes(L, 2), check_bytes(L, 3), &n, &error))
        return push_failure(L, &error);
    lua_pushinteger(L, n);
    return 1;
}

/* Reads { script, collection, key, value }; no value means delete. With `expect` = true it is an
 * expectation, and no value means absent. The strings stay in the table. */
static struct store_write check_write(lua_State *L, int batch, lua_Integer i)
{
    struct bytes field[4] = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    lua_rawgeti(L, batch, i);
    for (int at = 0; at < 4; at++) {
        lua_rawgeti(L, -1, at + 1);
        field[at].p = lua_tolstring(L, -1, &field[at].n);
        lua_pop(L, 1);
    }
    lua_getfield(L, -1, "expect");
    bool expect = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return (struct store_write){.kind = expect       ? STORE_EXPECT
                                        : field[3].p ? STORE_PUT
                                                     : STORE_DELETE,
                                .script = field[0],
                                .collection = field[1],
                                .key = field[2],
                                .value = field[3]};
}

/* s:commit { { script, collection, key, value }, … } → true | false (changed) | nil, why */
static int commit(lua_State *L)
{
    struct error error;
    struct store *s = *check_store(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t n = lua_rawlen(L, 2);
    struct store_write *writes = lua_newuserdatauv(L, n * sizeof *writes, 0);
    for (size_t i = 0; i < n; i++)
        writes[i] = check_write(L, 2, (lua_Integer)i + 1);
    int rc = store_commit(s, writes, n, &error);
    if (rc < 0) return push_failure(L, &error);
    lua_pushboolean(L, rc == 0);
    return 1;
}

static int blocking(lua_State *L)
{
    lua_pushboolean(L, (*check_store(L))->blocking);
    return 1;
}

static int default_path(lua_State *L)
{
    struct error error;
    struct buf path = {0};
    if (store_default_path(&path, &error)) return push_failure(L, &error);
    lua_pushlstring(L, path.p, path.n);
    buf_free(&path);
    return 1;
}

/* other(path) → a plain SQLite connection to the file, as another program would have it */
static int open_other(lua_State *L)
{
    sqlite3 **db = lua_newuserdatauv(L, sizeof(sqlite3 *), 0);
    luaL_setmetatable(L, "other");
    if (sqlite3_open(luaL_checkstring(L, 1), db) == SQLITE_OK) return 1;
    return luaL_error(L, "%s", sqlite3_errmsg(*db));
}

static int to_cell(void *arg, int n, char **values, char **names)
{
    (void)n;
    (void)names;
    lua_pushstring(arg, values[0]);
    return 0;
}

/* other:run(statements) → the first column of each row */
static int run_other(lua_State *L)
{
    sqlite3 **db = luaL_checkudata(L, 1, "other");
    lua_settop(L, 2);
    if (sqlite3_exec(*db, luaL_checkstring(L, 2), to_cell, L, NULL) != SQLITE_OK)
        return luaL_error(L, "%s", sqlite3_errmsg(*db));
    return lua_gettop(L) - 2;
}

static int close_other(lua_State *L)
{
    sqlite3 **db = luaL_checkudata(L, 1, "other");
    sqlite3_close(*db);
    *db = NULL;
    return 0;
}

/* limit_file_size(bytes or nil): from now on this process cannot write files beyond it */
static int limit_file_size(lua_State *L)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    limit.rlim_cur = lua_isnil(L, 1) ? limit.rlim_max : (rlim_t)luaL_checkinteger(L, 1);
    lua_pushboolean(L, setrlimit(RLIMIT_FSIZE, &limit) == 0);
    return 1;
}

/* set_env(name, value or nil) */
static int set_env(lua_State *L)
{
    if (lua_isnoneornil(L, 2))
        unsetenv(luaL_checkstring(L, 1));
    else
        setenv(luaL_checkstring(L, 1), luaL_checkstring(L, 2), 1);
    return 0;
}

/* mode(path) → "600" */
static int mode(lua_State *L)
{
    struct stat info;
    char text[8];
    if (stat(luaL_checkstring(L, 1), &info)) return 0;
    snprintf(text, sizeof text, "%o", info.st_mode & 07777U);
    lua_pushstring(L, text);
    return 1;
}

static void new_class(lua_State *L, const char *name, const luaL_Reg *methods)
{
    luaL_newmetatable(L, name);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

int unit_store(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"open", open_store},  {"default_path", default_path},
        {"other", open_other}, {"limit_file_size", limit_file_size},
        {"set_env", set_env},  {"mode", mode},
        {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"get", get},           {"list", list},        {"count", count},
        {"names", names},       {"commit", commit},    {"blocking", blocking},
        {"close", close_store}, {"__gc", close_store}, {NULL, NULL}};
    static const luaL_Reg other[] = {
        {"run", run_other}, {"close", close_other}, {"__gc", close_other}, {NULL, NULL}};
    new_class(L, "store", methods);
    new_class(L, "other", other);
    luaL_newlib(L, functions);
    return 1;
}
