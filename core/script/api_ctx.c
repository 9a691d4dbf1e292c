#include "script/api_ctx.h"

#include "script/api.h"
#include "script/coroutines.h"
#include "script/grants.h"
#include "script/grants_http.h"
#include "script/log_quota.h"
#include "script/run_state.h"
#include "script/values.h"
#include "script/values_write.h"
#include "script/vm.h"

#include <stdlib.h>
#include <string.h>

/* Returns the string at `at`, which is called `what` in the error. */
static struct bytes check_text(lua_State *L, int at, const char *what)
{
    struct bytes text;
    if (!lua_isstring(L, at))
        api_refuse(L, lua_pushfstring(L, "%s must be a string, not %s", what,
                                      lua_isnoneornil(L, at) ? "nil" : luaL_typename(L, at)));
    text.p = lua_tolstring(L, at, &text.n);
    return text;
}

static struct bytes opt_text(lua_State *L, int at, const char *what)
{
    return lua_isnoneornil(L, at) ? (struct bytes){NULL, 0} : check_text(L, at, what);
}

struct run *api_ctx_run(lua_State *L)
{
    struct run *r = vm_of(L)->running;
    if (!r || !lua_istable(L, 1) || r->ctx != lua_topointer(L, 1))
        api_refuse(L, "this is not the ctx of the running call: it was kept from another call, or "
                      "a dot stands where a colon must");
    return r;
}

void api_ctx_check_wait(lua_State *L)
{
    if (!coroutines_can_wait(L))
        api_refuse(L, "a call can't wait here: inside a comparator of table.sort, a module being "
                      "loaded or a metamethod called from C; do it before or after");
}

/* Writes argument `at` as JSON into the VM's scratch. Raises what can't be JSON. */
static struct bytes scratch_json(lua_State *L, int at, const char *what)
{
    struct buf *text = &vm_of(L)->scratch;
    struct error error;
    buf_clear(text);
    if (values_write_value(L, at, text, &error) != 0)
        api_refuse(L, lua_pushfstring(L, "%s: %s", what, error.text));
    return buf_bytes(text);
}

static int push_answer(lua_State *L, struct bytes json)
{
    struct error error;
    if (json.n == 0) {
        lua_pushnil(L);
        return 1;
    }
    if (values_push_text(L, json, &error) != 0)
        return api_fail(L, lua_pushfstring(L, "The answer can't be used: %s", error.text), NULL);
    return 1;
}

/* Pushes the head of an answer and the bytes behind it, or nil alone where there is none. */
static int push_bytes(lua_State *L, struct bytes answer)
{
    const char *end = answer.n ? memchr(answer.p, '\n', answer.n) : NULL;
    if (!end) return push_answer(L, (struct bytes){NULL, 0});
    size_t head = (size_t)(end - answer.p);
    push_answer(L, (struct bytes){answer.p, head});
    lua_pushlstring(L, end + 1, answer.n - head - 1);
    return 2;
}

static int go_on(lua_State *L, int (*push)(lua_State *L, struct bytes answer))
{
    struct vm *vm = vm_of(L);
    if (vm->running->raise) return api_fail(L, vm->running->raise, NULL);
    vm->limits.shielded = 1;
    int results = push(L, vm->running->answer);
    vm->limits.shielded = 0;
    return results;
}

/* Where a parked primitive goes on. */
static int resumed(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    return go_on(L, push_answer);
}

static int resumed_bytes(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    return go_on(L, push_bytes);
}

int api_ctx_settle(lua_State *L, struct run *r, enum run_answer answer, const struct error *error)
{
    switch (answer) {
    case RUN_ANSWERED:
        return push_answer(L, buf_bytes(&r->incoming));
    case RUN_WAIT:
        return coroutines_wait(L, resumed);
    case RUN_UNSUPPORTED:
        return api_fail(L, error->text, buf_text(&r->incoming));
    case RUN_REFUSED:
        break;
    }
    return api_fail(L, error->text, NULL);
}

/* One a run: the address of that table is what the primitives know their run by. */
static int context(lua_State *L)
{
    struct run *r = vm_of(L)->running;
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!r || r->ctx) return luaL_error(L, "no call that a ctx could belong to");
    lua_createtable(L, 0, 0);
    lua_pushvalue(L, 1);
    lua_setmetatable(L, -2);
    r->ctx = lua_topointer(L, -1);
    return 1;
}

static int describe(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    buf_clear(&r->incoming);
    r->host->describe(r->call, &r->incoming);
    return push_answer(L, buf_bytes(&r->incoming));
}

static int supports(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct bytes capability = check_text(L, 2, "ctx:supports: the capability");
    lua_pushboolean(L, r->host->supports(r->call, capability));
    return 1;
}

static int require_capability(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct bytes capability = check_text(L, 2, "ctx:require: the capability");
    struct error error;
    if (r->host->supports(r->call, capability)) return 0;
    error_set(&error, "The client can't be asked: it does not support %.*s.",
              BYTES_ARG(capability));
    return api_fail(L, error.text, capability.p);
}

/* Refuses where it could not wait even if the host can answer at once: a script that works with a
 * store in memory must not fail with one on a disk. */
static int read(lua_State *L, struct run *r, const struct run_read *what)
{
    struct error error;
    api_ctx_check_wait(L);
    buf_clear(&r->incoming);
    return api_ctx_settle(L, r, r->host->read(r->call, what, &r->incoming, &error), &error);
}

/* Raises at the script's line what it was not granted. */
static void check_granted(lua_State *L, struct run *r, struct grant use)
{
    struct error error;
    use.script = bytes_of(r->vm->name);
    if (r->host->granted(r->call, &use, &error) != 0) api_refuse(L, error.text);
}

/* Returns whose collection is meant, by the optional argument `at`: absent for the script's own. */
static struct bytes check_owner(lua_State *L, struct run *r, int at, struct bytes collection,
                                bool writes)
{
    struct bytes owner = opt_text(L, at, "ctx.store:of: the script");
    if (!owner.p || bytes_equal(owner, bytes_of(r->vm->name))) return (struct bytes){NULL, 0};
    check_granted(
        L, r,
        (struct grant){.kind = GRANT_STORE, .owner = owner, .name = collection, .write = writes});
    return owner;
}

static int get(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct run_read what = {.kind = RUN_GET};
    what.collection = check_text(L, 2, "ctx.store:get: the collection");
    what.key = check_text(L, 3, "ctx.store:get: the key");
    what.owner = check_owner(L, r, 4, what.collection, false);
    return read(L, r, &what);
}

static int list(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct run_read what = {.kind = RUN_LIST};
    int whole;
    what.collection = check_text(L, 2, "ctx.store:list: the collection");
    what.limit = lua_tointegerx(L, 3, &whole);
    what.key = opt_text(L, 4, "ctx.store:list: after");
    if (!whole || what.limit < 1 || what.limit > STORE_LIST_ROWS)
        api_refuse(L, lua_pushfstring(L, "ctx.store:list: limit must be a whole number, 1 to %d",
                                      STORE_LIST_ROWS));
    what.owner = check_owner(L, r, 5, what.collection, false);
    return read(L, r, &what);
}

static int count(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct run_read what = {.kind = RUN_COUNT};
    what.collection = check_text(L, 2, "ctx.store:count: the collection");
    what.owner = check_owner(L, r, 3, what.collection, false);
    return read(L, r, &what);
}

/* What the host refuses is for the user to read: it is about the sizes of what was sent. */
static void write(lua_State *L, struct run *r, const struct store_write *w)
{
    struct error error;
    if (r->host->write(r->call, w, &error) != 0) api_fail(L, error.text, NULL);
}

static int put(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct store_write w = {.kind = STORE_PUT};
    w.collection = check_text(L, 2, "ctx.store:put: the collection");
    w.key = check_text(L, 3, "ctx.store:put: the key");
    w.value = scratch_json(L, 4, "ctx.store:put: the value");
    w.script = check_owner(L, r, 5, w.collection, true);
    write(L, r, &w);
    return 0;
}

/* The key is made after all that may raise: a pcall around a mistake must not use one up, or a
 * replay that has no such mistake would give later rows other keys. */
static int append(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct store_write w = {.kind = STORE_PUT};
    w.collection = check_text(L, 2, "ctx.store:append: the collection");
    w.value = scratch_json(L, 3, "ctx.store:append: the value");
    w.script = check_owner(L, r, 4, w.collection, true);
    buf_clear(&r->incoming);
    r->host->new_key(r->call, &r->incoming);
    lua_pushlstring(L, r->incoming.p, r->incoming.n);
    w.key = buf_bytes(&r->incoming);
    write(L, r, &w);
    return 1;
}

static int delete (lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct store_write w = {.kind = STORE_DELETE};
    w.collection = check_text(L, 2, "ctx.store:delete: the collection");
    w.key = check_text(L, 3, "ctx.store:delete: the key");
    w.script = check_owner(L, r, 4, w.collection, true);
    write(L, r, &w);
    return 0;
}

/* A name that is granted is one that getenv takes. */
static int env(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct bytes name = check_text(L, 2, "ctx:env: the name");
    check_granted(L, r, (struct grant){.kind = GRANT_ENV, .name = name});
    lua_pushstring(L, getenv(name.p));
    return 1;
}

/* As read, of what is answered by bytes. */
static int read_bytes(lua_State *L, struct run *r, const struct run_read *what)
{
    struct error error;
    api_ctx_check_wait(L);
    buf_clear(&r->incoming);
    enum run_answer answer = r->host->read(r->call, what, &r->incoming, &error);
    if (answer == RUN_ANSWERED) return push_bytes(L, buf_bytes(&r->incoming));
    if (answer == RUN_WAIT) return coroutines_wait(L, resumed_bytes);
    return api_ctx_settle(L, r, answer, &error);
}

static int file(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct run_read what = {.kind = RUN_FILE};
    what.key = check_text(L, 2, "ctx:read: the file");
    check_granted(L, r, (struct grant){.kind = GRANT_READ, .name = what.key});
    return read_bytes(L, r, &what);
}

static int fetch(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct error error;
    struct run_read what = {.kind = RUN_FETCH};
    what.key = check_text(L, 2, "ctx:fetch: url");
    what.collection = check_text(L, 3, "ctx:fetch: method");
    what.body = opt_text(L, 5, "ctx:fetch: body");
    buf_clear(&r->incoming);
    if (grants_http_origin(what.key, "ctx:fetch", &r->incoming, &error) != 0)
        return api_refuse(L, error.text);
    check_granted(L, r, (struct grant){.kind = GRANT_HTTP, .name = buf_bytes(&r->incoming)});
    what.headers = scratch_json(L, 4, "ctx:fetch: headers");
    return read_bytes(L, r, &what);
}

/* host.sleep(ctx, milliseconds) */
static int sleep_for(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    const struct run_read what = {.kind = RUN_SLEEP, .limit = luaL_checkinteger(L, 2)};
    return read_bytes(L, r, &what);
}

static int once(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct bytes json = r->host->once(r->call, check_text(L, 2, "ctx:once: the name"));
    lua_pushboolean(L, json.n > 0);
    return 1 + push_answer(L, json);
}

/* Where fn of ctx:once has ended, at once or after it waited for the store, well or not. */
static int once_done(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    vm_of(L)->running->in_once--;
    return status == LUA_OK || status == LUA_YIELD ? 1 : lua_error(L);
}

static int run_once(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    r->in_once++;
    lua_settop(L, 2);
    limits_unshield(L);
    return once_done(L, lua_pcallk(L, 0, 1, 0, 0, once_done), 0);
}

static int set_once(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct error error;
    struct bytes name = check_text(L, 2, "ctx:once: the name");
    struct bytes value = scratch_json(L, 3, "ctx:once: the value");
    if (r->host->set_once(r->call, name, value, &error) != 0) return api_fail(L, error.text, NULL);
    return 0;
}

static int write_log(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    enum log_level level;
    const char *name = check_text(L, 2, "ctx:log: the level").p;
    if (log_level_read(name, &level) != 0)
        return api_refuse(
            L, lua_pushfstring(L,
                               "ctx:log: '%s' is no level; use debug, info, notice, warning, "
                               "error, critical, alert or emergency",
                               name));
    bool plain = lua_type(L, 3) == LUA_TSTRING;
    struct bytes text = plain ? check_text(L, 3, "") : scratch_json(L, 3, "ctx:log: the data");
    if (log_quota_take(r->vm, text.n)) r->host->log(r->call, level, text, !plain);
    return 0;
}

static int cancelled(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    lua_pushboolean(L, r->host->cancelled(r->call));
    return 1;
}

static int progress(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    r->host->progress(r->call, lua_tonumber(L, 2), scratch_json(L, 3, "ctx:progress"));
    return 0;
}

/* Through JSON, so that it is text that can be sent. */
static int updated(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct error error;
    struct bytes uri = check_text(L, 2, "ctx:updated: the URI");
    scratch_json(L, 2, "ctx:updated: the URI");
    if (r->host->updated(r->call, uri, &error) != 0)
        api_refuse(L, lua_pushfstring(L, "ctx:updated: %s", error.text));
    return 0;
}

static int close_stream(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    lua_pushboolean(L, r->host->close_stream(r->call));
    return 1;
}

const luaL_Reg API_CTX[] = {
    {"context", context},
    {"describe", describe},
    {"supports", supports},
    {"require", require_capability},
    {"sleep", sleep_for},
    {"get", get},
    {"list", list},
    {"count", count},
    {"put", put},
    {"append", append},
    {"delete", delete},
    {"once", once},
    {"run_once", run_once},
    {"set_once", set_once},
    {"log", write_log},
    {"env", env},
    {"file", file},
    {"fetch", fetch},
    {"progress", progress},
    {"close_stream", close_stream},
    {"cancelled", cancelled},
    {"updated", updated},
    {NULL, NULL},
};
