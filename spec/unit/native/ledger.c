#include <lauxlib.h>

#include "call/ledger.h"

int unit_ledger(lua_State *L);

#define TYPE "unit.ledger"

enum { QUESTION_DIGEST = 7 }; /* every byte of it */

/* A store, and the writes that come along with a claim. */
struct bench {
    struct store *store;
};

static struct bytes opt_bytes(lua_State *L, int at)
{
    struct bytes b = {NULL, 0};
    if (!lua_isnoneornil(L, at)) b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static struct store *check(lua_State *L)
{
    struct bench *b = luaL_checkudata(L, 1, TYPE);
    luaL_argcheck(L, b->store, 1, "closed");
    return b->store;
}

/* The claim of a call whose id is `id`, a byte, and whose question "q" was answered with `answer`,
 * JSON text; none: no question was answered. */
static struct ledger_claim claim_of(lua_State *L, int id, int answer)
{
    struct ledger_claim claim;
    struct journal j = {.n = 0};
    struct journal_entry entry = {.kind = JOURNAL_ANSWER, .key = BYTES("q")};
    for (size_t i = 0; i < sizeof entry.digest; i++)
        entry.digest[i] = QUESTION_DIGEST;
    for (size_t i = 0; i < sizeof j.call_id; i++)
        j.call_id[i] = (unsigned char)luaL_checkinteger(L, id);
    entry.json = opt_bytes(L, answer);
    if (entry.json.p) {
        j.entries = &entry;
        j.n = 1;
    }
    ledger_read(&j, &claim);
    return claim;
}

/* new(where) → a ledger over the store that `where` names */
static int new_bench(lua_State *L)
{
    struct error error;
    const char *where = luaL_checkstring(L, 1);
    struct bench *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (struct bench){0};
    luaL_setmetatable(L, TYPE);
    b->store = store_open(where, false, &error);
    return b->store ? 1 : luaL_error(L, "%s", error.text);
}

static int close_bench(lua_State *L)
{
    struct bench *b = luaL_checkudata(L, 1, TYPE);
    store_close(b->store);
    b->store = NULL;
    return 0;
}

/* ledger:needed(id, answer) → whether the call has to claim */
static int needed(lua_State *L)
{
    lua_pushboolean(L, claim_of(L, 2, 3).needed);
    return 1;
}

/* Reads { kind = "result" | "refused" | "failed" | "task", text = …, meta = … }. */
static struct ledger_result check_result(lua_State *L, int at)
{
    static const char *const kinds[] = {"result", "refused", "failed", "task", NULL};
    struct ledger_result r = {.kind = LEDGER_RESULT};
    lua_getfield(L, at, "kind");
    lua_getfield(L, at, "text");
    lua_getfield(L, at, "meta");
    r.kind = (enum ledger_kind)luaL_checkoption(L, -3, "result", kinds);
    r.text = r.fields = opt_bytes(L, -2);
    r.meta = opt_bytes(L, -1);
    return r; /* the strings stay in the table */
}

/* ledger:commit(id, answer, result, now_ms, expires_ms, row) → true | false (changed); with it goes
 * a write of `row`, if given */
static int commit(lua_State *L)
{
    struct error error;
    struct store *store = check(L);
    struct ledger_claim claim = claim_of(L, 2, 3);
    struct ledger_result result = check_result(L, 4);
    struct staging staging = {.script = BYTES("s")};
    const struct store_write row = {
        .kind = STORE_PUT, .collection = BYTES("c"), .key = opt_bytes(L, 7), .value = BYTES("1")};
    if (row.key.p && staging_add(&staging, &row, &error) != 0)
        return luaL_error(L, "%s", error.text);
    const struct ledger_writes with = {.staging = &staging};
    int rc = ledger_commit(store, &claim, &with, &result, luaL_checkinteger(L, 5),
                           luaL_checkinteger(L, 6), &error);
    staging_free(&staging);
    if (rc < 0) return luaL_error(L, "%s", error.text);
    lua_pushboolean(L, rc == 0);
    return 1;
}

/* ledger:look(id, answer) → "open" | "other" | "same", kind, text, meta */
static int look(lua_State *L)
{
    static const char *const verdicts[] = {"open", "same", "other"};
    static const char *const kinds[] = {"result", "refused", "failed", "task", "large"};
    struct error error;
    struct arena arena = {0};
    enum ledger_verdict verdict;
    struct ledger_result r;
    struct store *store = check(L);
    struct ledger_claim claim = claim_of(L, 2, 3);
    if (ledger_look(store, &claim, &arena, &verdict, &r, &error) != 0)
        return luaL_error(L, "%s", error.text);
    struct bytes text = r.kind == LEDGER_RESULT ? r.fields : r.text;
    lua_pushstring(L, verdicts[verdict]);
    lua_pushstring(L, kinds[r.kind]);
    lua_pushlstring(L, text.p ? text.p : "", text.n);
    lua_pushlstring(L, r.meta.p ? r.meta.p : "", r.meta.n);
    arena_free(&arena);
    return verdict == LEDGER_SAME ? 4 : (lua_pop(L, 3), 1);
}

static int count_row(void *arg, struct bytes key, struct bytes value)
{
    (void)key;
    (void)value;
    ++*(lua_Integer *)arg;
    return 0;
}

/* ledger:rows(script, collection) → how many */
static int rows(lua_State *L)
{
    struct error error;
    lua_Integer n = 0;
    if (store_list(check(L), opt_bytes(L, 2), opt_bytes(L, 3), (struct bytes){NULL, 0},
                   STORE_LIST_ROWS, count_row, &n, &error) != 0)
        return luaL_error(L, "%s", error.text);
    lua_pushinteger(L, n);
    return 1;
}

int unit_ledger(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_bench}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"needed", needed},     {"commit", commit},    {"look", look}, {"rows", rows},
        {"close", close_bench}, {"__gc", close_bench}, {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
