#include "script/api_ctx.h"

#include "script/api.h"
#include "script/api_form.h"
#include "script/run_state.h"
#include "script/values.h"
#include "script/values_write.h"
#include "script/vm.h"

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

static struct bytes opt_bytes(lua_State *L, int at)
{
    return lua_isnoneornil(L, at) ? (struct bytes){NULL, 0} : check_bytes(L, at);
}

/* Returns the run in progress if the first argument is its own ctx, else raises. */
static struct run *check_run(lua_State *L)
{
    struct run *r = vm_of(L)->running;
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!r || r->ctx != lua_topointer(L, 1))
        luaL_error(L, "this ctx belongs to a call that has ended, or to another one");
    return r;
}

static void check_yieldable(lua_State *L)
{
    if (!lua_isyieldable(L))
        luaL_error(L, "a call can't wait here: inside a comparator of table.sort, a callback of "
                      "string.gsub or a metamethod called from C; do it before or after");
}

/* Writes argument `at` as JSON into the VM's scratch. Raises what can't be JSON. */
static struct bytes scratch_json(lua_State *L, int at)
{
    struct buf *text = &vm_of(L)->scratch;
    struct error error;
    luaL_checkany(L, at);
    buf_clear(text);
    if (values_write_value(L, at, text, &error) != 0) luaL_error(L, "%s", error.text);
    return buf_bytes(text);
}

static int push_answer(lua_State *L, struct bytes json)
{
    struct error error;
    if (json.n == 0) {
        lua_pushnil(L);
        return 1;
    }
    if (values_push_text(L, json, &error) != 0) return luaL_error(L, "%s", error.text);
    return 1;
}

/* Where a parked primitive goes on. */
static int resumed(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    struct run *r = vm_of(L)->running;
    if (r->raise) return api_fail(L, r->raise, NULL);
    return push_answer(L, r->answer);
}

/* Ends a primitive with what the host made of it; the answer is in r->incoming. */
static int settle(lua_State *L, struct run *r, enum run_answer answer, const struct error *error)
{
    switch (answer) {
    case RUN_ANSWERED:
        return push_answer(L, buf_bytes(&r->incoming));
    case RUN_WAIT:
        r->waiting = true;
        return lua_yieldk(L, 0, 0, resumed);
    case RUN_UNSUPPORTED:
        return api_fail(L, error->text, buf_text(&r->incoming));
    case RUN_REFUSED:
        break;
    }
    return api_fail(L, error->text, NULL);
}

static int context(lua_State *L)
{
    struct run *r = vm_of(L)->running;
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!r || r->ctx) return luaL_error(L, "no call that a ctx could belong to");
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, 1);
    lua_setmetatable(L, -2);
    r->ctx = lua_topointer(L, -1);
    return 1;
}

static int describe(lua_State *L)
{
    struct run *r = check_run(L);
    buf_clear(&r->incoming);
    r->host->describe(r->call, &r->incoming);
    return push_answer(L, buf_bytes(&r->incoming));
}

static int supports(lua_State *L)
{
    struct run *r = check_run(L);
    lua_pushboolean(L, r->host->supports(r->call, check_bytes(L, 2)));
    return 1;
}

static int ask(lua_State *L)
{
    struct run *r = check_run(L);
    struct error error;
    struct run_question q = {opt_bytes(L, 2), check_bytes(L, 3), check_bytes(L, 4),
                             scratch_json(L, 5)};
    check_yieldable(L);
    if (bytes_equal(q.capability, BYTES("elicitation.form"))) api_form_check(L, q.params);
    buf_clear(&r->incoming);
    return settle(L, r, r->host->ask(r->call, &q, &r->incoming, &error), &error);
}

static int read(lua_State *L, struct run *r, const struct run_read *what)
{
    struct error error;
    check_yieldable(L);
    buf_clear(&r->incoming);
    return settle(L, r, r->host->read(r->call, what, &r->incoming, &error), &error);
}

static int get(lua_State *L)
{
    struct run *r = check_run(L);
    return read(L, r, &(struct run_read){RUN_GET, check_bytes(L, 2), check_bytes(L, 3), 0});
}

static int list(lua_State *L)
{
    struct run *r = check_run(L);
    return read(
        L, r,
        &(struct run_read){RUN_LIST, check_bytes(L, 2), opt_bytes(L, 4), luaL_checkinteger(L, 3)});
}

static int count(lua_State *L)
{
    struct run *r = check_run(L);
    return read(L, r, &(struct run_read){RUN_COUNT, check_bytes(L, 2), {NULL, 0}, 0});
}

static void write(lua_State *L, enum store_write_kind kind, struct bytes key, struct bytes value)
{
    struct run *r = check_run(L);
    struct error error;
    if (r->host->write(r->call, kind, check_bytes(L, 2), key, value, &error) != 0)
        api_fail(L, error.text, NULL);
}

static int put(lua_State *L)
{
    write(L, STORE_PUT, check_bytes(L, 3), scratch_json(L, 4));
    return 0;
}

static int append(lua_State *L)
{
    struct run *r = check_run(L);
    buf_clear(&r->incoming);
    r->host->new_key(r->call, &r->incoming);
    lua_pushlstring(L, r->incoming.p, r->incoming.n);
    write(L, STORE_PUT, check_bytes(L, -1), scratch_json(L, 3));
    return 1;
}

static int delete (lua_State *L)
{
    write(L, STORE_DELETE, check_bytes(L, 3), (struct bytes){NULL, 0});
    return 0;
}

static int once(lua_State *L)
{
    struct run *r = check_run(L);
    struct bytes json = r->host->once(r->call, check_bytes(L, 2));
    lua_pushboolean(L, json.n > 0);
    return 1 + push_answer(L, json);
}

static int set_once(lua_State *L)
{
    struct run *r = check_run(L);
    struct error error;
    if (r->host->set_once(r->call, check_bytes(L, 2), scratch_json(L, 3), &error) != 0)
        return api_fail(L, error.text, NULL);
    return 0;
}

static int write_log(lua_State *L)
{
    struct run *r = check_run(L);
    enum log_level level;
    const char *name = luaL_checkstring(L, 2);
    if (log_level_read(name, &level) != 0)
        return luaL_error(L,
                          "'%s' is no log level; use debug, info, notice, warning, error, "
                          "critical, alert or emergency",
                          name);
    r->host->log(r->call, level, check_bytes(L, 3));
    return 0;
}

const luaL_Reg API_CTX[] = {
    {"context", context}, {"describe", describe}, {"supports", supports}, {"ask", ask},
    {"get", get},         {"list", list},         {"count", count},       {"put", put},
    {"append", append},   {"delete", delete},     {"once", once},         {"set_once", set_once},
    {"log", write_log},   {NULL, NULL},
};
