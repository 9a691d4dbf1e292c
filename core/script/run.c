#include "script/run.h"

#include "base/mem.h"
#include "script/api.h"
#include "script/output.h"
#include "script/run_state.h"
#include "script/run_time.h"
#include "script/values.h"
#include "script/values_write.h"
#include "script/vm.h"
#include "wire/json_write.h"
#include "wire/utf8.h"

#include <assert.h>
#include <lauxlib.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { RESULTS = 3 }; /* of the prelude's entries: the result, ttlMs, cacheScope */
enum { MOST_FAILURE_BYTES = 16 * 1024 }; /* of mcp.fail: a person reads it */

/* May run out of memory: called under vm_protect. */
static int make_thread(lua_State *L)
{
    struct run *r = lua_touserdata(L, 1);
    r->co = lua_newthread(L);
    r->anchor = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

/* A coroutine that came to its end can begin again: one is kept, with its stack. */
static bool take_idle(struct run *r)
{
    struct vm *vm = r->vm;
    if (!vm->idle) return false;
    r->co = vm->idle;
    r->anchor = vm->idle_anchor;
    vm->idle = NULL;
    return true;
}

static void keep_thread(struct run *r)
{
    struct vm *vm = r->vm;
    if (r->state != RUN_DONE || vm->idle) {
        luaL_unref(vm->L, LUA_REGISTRYINDEX, r->anchor);
        return;
    }
    lua_settop(r->co, 0);
    vm->idle = r->co;
    vm->idle_anchor = r->anchor;
}

/* A script that has no memory left because of what it keeps in its globals would fail for ever. */
static void release_thread(struct run *r)
{
    struct vm *vm = r->vm;
    if (run_is_lost(r)) return;
    keep_thread(r);
    if (!r->refused_memory || !limits_crowded(&vm->limits, vm->L)) return;
    log_line(vm->log, LOG_ERROR,
             "%s: more than half of its memory (vm_memory) is used up for good; the script is "
             "loaded anew, and calls of it that waited have ended",
             vm->name);
    vm_abandon(vm);
    r->host->limited(r->call, RUN_DROPPED);
}

struct run *run_new(struct vm *vm, const struct run_host *host, void *call, int64_t started_ms,
                    const unsigned char seed[16], struct error *error)
{
    struct run *r = mem_alloc(sizeof *r);
    r->vm = vm;
    r->host = host;
    r->call = call;
    r->trace = "";
    r->started_ms = started_ms;
    r->anchor = LUA_NOREF;
    r->socket = -1;
    r->cpu_left_us = vm->limits.cpu_us;
    run_time_seed(r->random, seed);
    if (vm->limits.dead && vm_revive(vm, error) != 0) {
        free(r);
        return NULL;
    }
    r->epoch = vm->epoch;
    if (take_idle(r) || vm_protect(vm, make_thread, r, error) == 0) return r;
    run_free(r);
    return NULL;
}

void run_set_trace(struct run *r, const char *trace)
{
    r->trace = trace;
}

void run_free(struct run *r)
{
    if (!r) return;
    release_thread(r);
    buf_free(&r->incoming);
    buf_free(&r->fields);
    buf_free(&r->meta);
    buf_free(&r->failure);
    buf_free(&r->unsupported);
    free(r);
}

static void write_text_result(struct run *r, struct bytes text)
{
    buf_addz(&r->fields, "\"content\":[{\"type\":\"text\",\"text\":");
    json_write_string(&r->fields, text);
    buf_addz(&r->fields, "}]");
}

/* Some other handler than a tool's has said no. */
static void refuse(struct run *r, struct bytes reason)
{
    buf_add(&r->failure, reason);
    r->is_error = true;
    r->refused = true;
}

/* What a resource's handler says of how long its contents may be kept: the second and third of its
 * results, nil if it says nothing. [-2, +0] */
static void take_cache(lua_State *L)
{
    struct run *r = vm_of(L)->running;
    r->ttl_ms = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : -1;
    r->is_public = lua_isstring(L, -1) && strcmp(lua_tostring(L, -1), "public") == 0;
    lua_pop(L, 2);
}

/* The result, a table or a string, is on the top: write it while still protected. [-0, +0] */
static int write_result(lua_State *L)
{
    struct run *r = vm_of(L)->running;
    struct error error;
    struct bytes text;
    if (lua_type(L, -1) == LUA_TSTRING) {
        text.p = lua_tolstring(L, -1, &text.n);
        if (text.n > VALUES_TEXT_BYTES) return luaL_error(L, "the result is larger than 4 MiB");
        if (!utf8_valid(text)) return luaL_error(L, "the result is not valid UTF-8");
        if (r->offer->kind == OFFER_TOOL)
            write_text_result(r, text);
        else
            refuse(r, text);
        return 0;
    }
    if (values_write_members(L, -1, &r->fields, &r->meta, &error) != 0)
        return luaL_error(L, "the result: %s", error.text);
    r->is_error = lua_getfield(L, -1, "isError") == LUA_TBOOLEAN && lua_toboolean(L, -1);
    return 0;
}

static int finished(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    limits_of(L)->shielded = 1;
    take_cache(L);
    write_result(L);
    limits_unshield(L);
    return 0;
}

/* The coroutine's own body: everything that allocates in Lua happens inside it. */
static int body(lua_State *L)
{
    struct run *r = lua_touserdata(L, 1);
    api_push_entry(L, r->offer->kind, r->entry);
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->offer->handle);
    values_push(L, r->arguments);
    lua_callk(L, 2, RESULTS, 0, finished);
    return finished(L, LUA_OK, 0);
}

/* A line of the log for each of the traceback: log_line escapes line breaks. */
static int make_traceback(lua_State *L)
{
    struct run *r = lua_touserdata(L, 1);
    luaL_traceback(L, r->co, NULL, 0);
    struct bytes lines, line;
    lines.p = lua_tolstring(L, -1, &lines.n);
    while (bytes_split(&lines, '\n', &line))
        log_line(r->vm->log, LOG_ERROR, "%s: %.*s", r->vm->name, BYTES_ARG(line));
    return 0;
}

/* An error nobody foresaw: the user gets a reference, the log the error and where it was. */
static void fail_unforeseen(struct run *r, const char *reason)
{
    unsigned char random[3];
    char reference[2 * sizeof random + 1];
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(reference, sizeof reference, random, sizeof random);
    log_line(r->vm->log, LOG_ERROR, "%s: %s %.*s failed (reference %s): %s%s", r->vm->name,
             offer_kind_text(r->offer->kind), BYTES_ARG(r->offer->name), reference, reason,
             r->trace);
    if (lua_status(r->co) != LUA_OK) vm_protect(r->vm, make_traceback, r, NULL);
    buf_printf(&r->failure, "%.*s failed (reference %s); the reason is in the host's log",
               BYTES_ARG(r->offer->name), reference);
}

/* The error value is on the top of the coroutine. */
static void fail(struct run *r)
{
    const char *limit = limits_hit(r->co);
    r->state = RUN_FAILED;
    if (limit) {
        r->stopped = true;
        bool stopped = r->vm->limits.stopped != NULL;
        enum run_limit kind = stopped ? RUN_ALLOCATIONS : RUN_MEMORY;
        r->host->limited(r->call, limits_is_memory(limit) ? kind : RUN_CPU);
        log_line(r->vm->log, LOG_ERROR, "%s: %s %.*s was stopped: %s%s", r->vm->name,
                 offer_kind_text(r->offer->kind), BYTES_ARG(r->offer->name), limit, r->trace);
        vm_protect(r->vm, make_traceback, r, NULL);
        buf_printf(&r->failure, "%.*s was stopped: %s", BYTES_ARG(r->offer->name), limit);
        return;
    }
    api_failure_capability(r->co, &r->unsupported);
    if (api_failure_text(r->co, &r->failure)) {
        if (r->failure.n > MOST_FAILURE_BYTES) r->failure.n = MOST_FAILURE_BYTES;
        return;
    }
    struct buf reason = {0};
    vm_error_text(r->co, &reason);
    fail_unforeseen(r, buf_text(&reason));
    buf_free(&reason);
}

/* A tick has jumped out of the script: of the VM, only its heap may still be touched. */
static void fail_escaped(struct run *r)
{
    vm_abandon(r->vm);
    r->host->limited(r->call, RUN_CPU);
    r->host->limited(r->call, RUN_DROPPED);
    r->state = RUN_FAILED;
    r->stopped = true;
    log_line(r->vm->log, LOG_ERROR,
             "%s: %s %.*s was stopped in one endless step: CPU time used up (vm_cpu); the script "
             "is loaded anew, and calls of it that waited have ended",
             r->vm->name, offer_kind_text(r->offer->kind), BYTES_ARG(r->offer->name));
    buf_printf(&r->failure, "%.*s was stopped: CPU time used up (vm_cpu)",
               BYTES_ARG(r->offer->name));
}

/* A client that trusts the schema must not be sent anything else. */
static void check_output(struct run *r)
{
    struct buf reasons = {0}, reason = {0};
    if (!output_fits(r->offer, buf_bytes(&r->fields), &reasons)) {
        buf_printf(&reason, "%.*s:%d: the result does not fit outputSchema: %.*s",
                   BYTES_ARG(r->offer->file), r->offer->line, BYTES_ARG(buf_bytes(&reasons)));
        r->state = RUN_FAILED;
        fail_unforeseen(r, buf_text(&reason));
    }
    buf_free(&reasons);
    buf_free(&reason);
}

/* What the coroutine has come to. */
static void settle(struct run *r, int status)
{
    struct limits *l = &r->vm->limits;
    if (l->abandoned) {
        r->state = RUN_ABANDONED;
    } else if (status == LUA_OK) {
        r->state = RUN_DONE;
        if (r->offer->output && !r->is_error) check_output(r);
    } else if (status != LUA_YIELD || l->stopped) {
        fail(r);
    } else if (l->sliced) {
        r->state = RUN_SLICED;
    } else {
        assert(r->waiting); /* a script's own yield does not come this far */
        r->state = RUN_PARKED;
    }
    r->waiting = false;
}

enum { ESCAPED = -1 };

static int enter(struct run *r, int arguments)
{
    struct limits *l = &r->vm->limits;
    int results;
    if (limits_escaped(l)) return ESCAPED;
    l->can_escape = 1;
    int status = lua_resume(r->co, NULL, arguments, &results);
    l->can_escape = 0; /* once this frame is left, there is nothing to jump to */
    return status;
}

/* The only place that enters the script. `running` tells the primitives whose code is on the C
 * stack; nothing of another run can come between, since resuming is done from the loop alone. */
static enum run_state go_on(struct run *r, int arguments)
{
    struct limits *l = &r->vm->limits;
    if (run_is_lost(r)) {
        r->state = RUN_FAILED;
        r->stopped = true;
        buf_printf(&r->failure, "%.*s was interrupted: its script had to be loaded anew",
                   BYTES_ARG(r->offer->name));
        return r->state;
    }
    r->vm->running = r;
    limits_start(r->co, r->cpu_left_us, r->socket, r->is_long || r->state == RUN_SLICED);
    l->slices = true;
    int status = enter(r, arguments);
    if (status == ESCAPED) fail_escaped(r);
    r->cpu_left_us = limits_stop(l);
    r->refused_memory |= l->memory_hit;
    if (status != ESCAPED) settle(r, status);
    r->vm->running = NULL;
    return r->state;
}

void run_watch(struct run *r, int socket)
{
    r->socket = socket;
}

void run_set_long(struct run *r)
{
    r->is_long = true;
}

enum run_state run_start(struct run *r, const struct offer *offer, enum run_entry entry,
                         const struct json *arguments)
{
    r->offer = offer;
    r->entry = entry;
    r->arguments = arguments;
    lua_pushcfunction(r->co, body);
    lua_pushlightuserdata(r->co, r);
    enum run_state state = go_on(r, 1);
    r->arguments = NULL;
    return state;
}

enum run_state run_resume(struct run *r, struct bytes json, const char *error)
{
    r->answer = json;
    r->raise = error;
    if (r->asking) r->cpu_left_us = r->vm->limits.cpu_us;
    r->asking = false;
    enum run_state state = go_on(r, 0);
    r->answer = (struct bytes){NULL, 0};
    r->raise = NULL;
    return state;
}

bool run_is_lost(const struct run *r)
{
    return r->vm->limits.dead || r->epoch != r->vm->epoch;
}

struct bytes run_fields(const struct run *r)
{
    return buf_bytes(&r->fields);
}

int64_t run_ttl_ms(const struct run *r)
{
    return r->ttl_ms;
}

bool run_is_public(const struct run *r)
{
    return r->is_public;
}

struct bytes run_meta(const struct run *r)
{
    return buf_bytes(&r->meta);
}

bool run_is_error(const struct run *r)
{
    return r->is_error;
}

struct bytes run_refusal(const struct run *r)
{
    if (!r->refused) return (struct bytes){NULL, 0};
    return r->failure.n ? buf_bytes(&r->failure) : BYTES("");
}

struct bytes run_unsupported(const struct run *r)
{
    return buf_bytes(&r->unsupported);
}

struct bytes run_failure(const struct run *r)
{
    return buf_bytes(&r->failure);
}

bool run_was_stopped(const struct run *r)
{
    return r->stopped;
}
