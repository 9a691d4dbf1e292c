#include "script/run.h"

#include "registry.h"
#include "script/grants.h"
#include "vm.h"

#include <string.h>

int unit_run(lua_State *L);

#define TYPE "unit.run"

/* A run and its host, whose callbacks are the functions of a Lua table; what is not in it has an
 * answer of its own: questions and reads wait, writes succeed. */
struct box {
    struct run *run;
    const struct offer *offer;
    lua_State *L;       /* the specs' state, while the run is on the C stack */
    int host;           /* registry reference */
    struct buf once;    /* what the last look-up gave */
    struct buf trouble; /* an error in a callback: it must not pass through the script */
};

static struct box *check(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    luaL_argcheck(L, box->run, 1, "the run is closed");
    return box;
}

/* Pushes the callback; false, with nothing pushed, if the table has none. */
static bool callback(struct box *box, const char *name)
{
    lua_State *L = box->L;
    luaL_checkstack(L, 12, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, box->host);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    if (lua_isfunction(L, -1)) return true;
    lua_pop(L, 1);
    return false;
}

static void push_bytes(lua_State *L, struct bytes b)
{
    if (b.p)
        lua_pushlstring(L, b.p, b.n);
    else
        lua_pushnil(L);
}

/* Calls what is pushed; pushes two results, nil and nil on an error. */
static void invoke(struct box *box, int arguments)
{
    if (lua_pcall(box->L, arguments, 2, 0) == LUA_OK) return;
    const char *text = lua_tostring(box->L, -1);
    buf_addz(&box->trouble, text ? text : "an error that is no string");
    lua_pop(box->L, 1);
    lua_pushnil(box->L);
    lua_pushnil(box->L);
}

static void add_result(struct box *box, int at, struct buf *out)
{
    struct bytes text = {NULL, 0};
    if (lua_type(box->L, at) == LUA_TSTRING) text.p = lua_tolstring(box->L, at, &text.n);
    buf_add(out, text);
}

/* Takes the two results as an error text: -1 with `error` if the first is a string. [-2] */
static int outcome(struct box *box, struct error *error)
{
    const char *text = lua_tostring(box->L, -2);
    int result = text ? error_set(error, "%s", text) : 0;
    lua_pop(box->L, 2);
    return result;
}

/* Takes the two results as an answer: "answer" JSON, "refuse" text, "unsupported" capability, or
 * nothing to wait. [-2] */
static enum run_answer answer(struct box *box, struct buf *json, struct error *error)
{
    const char *kind = lua_tostring(box->L, -2);
    enum run_answer result = RUN_WAIT;
    if (kind && strcmp(kind, "answer") == 0) {
        add_result(box, -1, json);
        result = RUN_ANSWERED;
    } else if (kind && strcmp(kind, "unsupported") == 0) {
        add_result(box, -1, json);
        error_set(error, "The client does not support %s.", lua_tostring(box->L, -1));
        result = RUN_UNSUPPORTED;
    } else if (kind) {
        error_set(error, "%s", lua_tostring(box->L, -1));
        result = RUN_REFUSED;
    }
    lua_pop(box->L, 2);
    return result;
}

/* ask(key, method, capabilities, params, and the same of each further question) */
static enum run_answer ask(void *call, const struct run_question *questions, size_t n,
                           struct buf *json, struct error *error)
{
    struct box *box = call;
    if (!callback(box, "ask")) return RUN_WAIT;
    luaL_checkstack(box->L, 4 * RUN_QUESTIONS, NULL);
    for (size_t i = 0; i < n; i++) {
        push_bytes(box->L, questions[i].key);
        push_bytes(box->L, questions[i].method);
        push_bytes(box->L, questions[i].capabilities);
        push_bytes(box->L, questions[i].params);
    }
    invoke(box, 4 * (int)n);
    return answer(box, json, error);
}

static enum run_answer read(void *call, const struct run_read *r, struct buf *json,
                            struct error *error)
{
    static const char *const kinds[] = {"get", "list", "count", "file", "fetch", "callback"};
    struct box *box = call;
    if (!callback(box, "read")) return RUN_WAIT;
    lua_pushstring(box->L, kinds[r->kind]);
    push_bytes(box->L, r->collection);
    push_bytes(box->L, r->key);
    lua_pushinteger(box->L, r->limit);
    push_bytes(box->L, r->owner);
    push_bytes(box->L, r->headers);
    push_bytes(box->L, r->body);
    invoke(box, 7);
    return answer(box, json, error);
}

static int write(void *call, const struct store_write *w, struct error *error)
{
    struct box *box = call;
    if (!callback(box, "write")) return 0;
    lua_pushstring(box->L, w->kind == STORE_PUT ? "put" : "delete");
    push_bytes(box->L, w->collection);
    push_bytes(box->L, w->key);
    push_bytes(box->L, w->value);
    push_bytes(box->L, w->script);
    invoke(box, 5);
    return outcome(box, error);
}

/* Without a callback, all is granted. */
static int granted(void *call, const struct grant *use, struct error *error)
{
    struct box *box = call;
    if (!callback(box, "granted")) return 0;
    lua_pushstring(box->L, grants_kind_name(use->kind));
    push_bytes(box->L, use->script);
    push_bytes(box->L, use->name);
    push_bytes(box->L, use->owner);
    lua_pushboolean(box->L, use->write);
    invoke(box, 5);
    return outcome(box, error);
}

static void new_key(void *call, struct buf *key)
{
    struct box *box = call;
    if (!callback(box, "new_key")) {
        buf_addz(key, "a-key");
        return;
    }
    invoke(box, 0);
    add_result(box, -2, key);
    lua_pop(box->L, 2);
}

static struct bytes once(void *call, struct bytes name)
{
    struct box *box = call;
    if (!callback(box, "once")) return (struct bytes){NULL, 0};
    push_bytes(box->L, name);
    invoke(box, 1);
    buf_clear(&box->once);
    add_result(box, -2, &box->once);
    lua_pop(box->L, 2);
    return buf_bytes(&box->once);
}

static int set_once(void *call, struct bytes name, struct bytes json, struct error *error)
{
    struct box *box = call;
    if (!callback(box, "set_once")) return 0;
    push_bytes(box->L, name);
    push_bytes(box->L, json);
    invoke(box, 2);
    return outcome(box, error);
}

static void write_log(void *call, enum log_level level, struct bytes text, bool is_json)
{
    struct box *box = call;
    if (!callback(box, "log")) return;
    lua_pushstring(box->L, log_level_name(level));
    push_bytes(box->L, text);
    lua_pushboolean(box->L, is_json);
    invoke(box, 3);
    lua_pop(box->L, 2);
}

static bool cancelled(void *call)
{
    struct box *box = call;
    if (!callback(box, "cancelled")) return false;
    invoke(box, 0);
    bool result = lua_toboolean(box->L, -2);
    lua_pop(box->L, 2);
    return result;
}

static void progress(void *call, double value, struct bytes members)
{
    struct box *box = call;
    if (!callback(box, "progress")) return;
    lua_pushnumber(box->L, value);
    push_bytes(box->L, members);
    invoke(box, 2);
    lua_pop(box->L, 2);
}

static int updated(void *call, struct bytes uri, struct error *error)
{
    struct box *box = call;
    if (!callback(box, "updated")) return 0;
    push_bytes(box->L, uri);
    invoke(box, 1);
    return outcome(box, error);
}

static bool close_stream(void *call)
{
    struct box *box = call;
    if (!callback(box, "close_stream")) return true;
    invoke(box, 0);
    bool result = lua_toboolean(box->L, -2);
    lua_pop(box->L, 2);
    return result;
}

static bool supports(void *call, struct bytes capability)
{
    struct box *box = call;
    if (!callback(box, "supports")) return true;
    push_bytes(box->L, capability);
    invoke(box, 1);
    bool result = lua_toboolean(box->L, -2);
    lua_pop(box->L, 2);
    return result;
}

static void limited(void *call, enum run_limit limit)
{
    static const char *const names[] = {"cpu", "memory", "allocations", "dropped", "log"};
    struct box *box = call;
    if (!callback(box, "limited")) return;
    lua_pushstring(box->L, names[limit]);
    invoke(box, 1);
    lua_pop(box->L, 2);
}

static int callback_url(void *call, struct buf *url, struct error *error)
{
    struct box *box = call;
    if (!callback(box, "callback")) return error_set(error, "no callback");
    invoke(box, 0);
    add_result(box, -2, url);
    lua_pop(box->L, 2);
    return 0;
}

static enum run_answer await(void *call, struct buf *json, struct error *error)
{
    struct box *box = call;
    if (!callback(box, "await")) return RUN_WAIT;
    invoke(box, 0);
    return answer(box, json, error);
}

static void complete(void *call, struct bytes key)
{
    struct box *box = call;
    if (!callback(box, "complete")) return;
    push_bytes(box->L, key);
    invoke(box, 1);
    lua_pop(box->L, 2);
}

static void describe(void *call, struct buf *json)
{
    struct box *box = call;
    if (!callback(box, "describe")) {
        buf_addz(json, "{}");
        return;
    }
    invoke(box, 0);
    add_result(box, -2, json);
    lua_pop(box->L, 2);
}

static const struct run_host HOST = {
    .ask = ask,
    .read = read,
    .write = write,
    .granted = granted,
    .new_key = new_key,
    .once = once,
    .set_once = set_once,
    .log = write_log,
    .progress = progress,
    .updated = updated,
    .close_stream = close_stream,
    .cancelled = cancelled,
    .supports = supports,
    .limited = limited,
    .callback = callback_url,
    .await = await,
    .complete = complete,
    .describe = describe,
};

/* Returns the offer of a VM or a generation by its key, of whatever kind, or NULL. */
static const struct offer *find_offer(lua_State *L, int owner, struct bytes key)
{
    struct generation *g = unit_registry_test(L, owner);
    struct vm *vm = unit_vm_test(L, owner);
    const struct offer *found = NULL;
    luaL_argcheck(L, g || vm, owner, "neither a VM nor a generation");
    for (enum offer_kind kind = 0; g && !found && kind < OFFER_KINDS; kind++)
        found = registry_find(g, kind, key);
    for (const struct offer *o = vm ? vm->offers : NULL; o && !found; o = o->next)
        if (bytes_equal(o->key, key)) found = o;
    return found;
}

/* new(owner, tool, host, { started_ms, seed }): the run; or nil and the error */
static int new_run(lua_State *L)
{
    struct error error;
    unsigned char seed[16] = {0};
    const struct offer *offer = find_offer(L, 1, bytes_of(luaL_checkstring(L, 2)));
    if (!offer) return luaL_error(L, "nothing is registered as %s", lua_tostring(L, 2));
    luaL_checktype(L, 3, LUA_TTABLE);
    luaL_checktype(L, 4, LUA_TTABLE);
    struct bytes given = unit_vm_field(L, 4, "seed");
    if (given.n) memcpy(seed, given.p, given.n < sizeof seed ? given.n : sizeof seed);
    struct box *box = lua_newuserdatauv(L, sizeof *box, 1);
    *box = (struct box){.offer = offer, .host = LUA_NOREF};
    luaL_setmetatable(L, TYPE);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, 3);
    box->host = luaL_ref(L, LUA_REGISTRYINDEX);
    box->run = run_new(offer->vm, &HOST, box, unit_vm_integer(L, 4, "started_ms", 0), seed, &error);
    if (box->run) return 1;
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

static int close_run(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TYPE);
    box->L = L; /* the end of a run may have something to tell */
    run_free(box->run);
    box->run = NULL;
    luaL_unref(L, LUA_REGISTRYINDEX, box->host);
    box->host = LUA_NOREF;
    buf_free(&box->once);
    buf_free(&box->trouble);
    return 0;
}

static int push_state(lua_State *L, struct box *box, enum run_state state)
{
    static const char *const names[] = {"parked", "done", "failed"};
    box->L = NULL;
    if (box->trouble.n) return luaL_error(L, "in a callback: %s", buf_text(&box->trouble));
    lua_pushstring(L, names[state]);
    return 1;
}

/* Goes on with a run whose share of time was over: nobody else waits here. */
static enum run_state to_the_end(struct run *r, enum run_state state)
{
    while (state == RUN_SLICED)
        state = run_resume(r, (struct bytes){NULL, 0}, NULL);
    return state;
}

/* start(arguments as JSON text or nil, "handler" or "complete"): "parked", "done" or "failed" */
static int start(lua_State *L)
{
    struct box *box = check(L);
    struct arena arena = {0};
    struct json_error why;
    struct bytes text = {NULL, 0};
    const struct json *arguments = NULL;
    static const char *const entries[] = {"handler", "complete", NULL};
    enum run_entry entry = (enum run_entry)luaL_checkoption(L, 3, "handler", entries);
    if (!lua_isnoneornil(L, 2)) {
        text.p = luaL_checklstring(L, 2, &text.n);
        arguments = json_parse(&arena, text, &JSON_LIMITS, &why);
    }
    if (text.p && !arguments) return luaL_error(L, "no JSON: %s", why.reason);
    box->L = L;
    enum run_state state = to_the_end(box->run, run_start(box->run, box->offer, entry, arguments));
    arena_free(&arena);
    return push_state(L, box, state);
}

/* resume(JSON text or nil, error or nil): as start */
static int resume(lua_State *L)
{
    struct box *box = check(L);
    struct bytes json = {NULL, 0};
    if (!lua_isnoneornil(L, 2)) json.p = luaL_checklstring(L, 2, &json.n);
    const char *error = luaL_optstring(L, 3, NULL);
    box->L = L;
    return push_state(L, box, to_the_end(box->run, run_resume(box->run, json, error)));
}

/* result(): the fields, the meta, whether it is an error, why it was refused or nil */
static int result(lua_State *L)
{
    struct box *box = check(L);
    struct bytes fields = run_fields(box->run), meta = run_meta(box->run);
    lua_pushlstring(L, fields.p ? fields.p : "", fields.n);
    lua_pushlstring(L, meta.p ? meta.p : "", meta.n);
    lua_pushboolean(L, run_is_error(box->run));
    struct bytes refusal = run_refusal(box->run);
    if (refusal.p)
        lua_pushlstring(L, refusal.p, refusal.n);
    else
        lua_pushnil(L);
    return 4;
}

/* failure(): the text, the capability that the client lacks ("" if none) */
static int failure(lua_State *L)
{
    struct box *box = check(L);
    struct bytes text = run_failure(box->run), capability = run_unsupported(box->run);
    lua_pushlstring(L, text.p ? text.p : "", text.n);
    lua_pushlstring(L, capability.p ? capability.p : "", capability.n);
    return 2;
}

int unit_run(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_run}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"start", start},     {"resume", resume},  {"result", result}, {"failure", failure},
        {"close", close_run}, {"__gc", close_run}, {NULL, NULL},
    };
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
