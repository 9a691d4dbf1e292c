#include "script/vm.h"

#include "base/mem.h"
#include "script/absent.h"
#include "script/api.h"
#include "script/finding.h"
#include "script/globals.h"
#include "script/modules.h"
#include "script/offer.h"
#include "script/run_time.h"
#include "script/stdlib.h"
#include "script/values.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct vm *vm_of(lua_State *L)
{
    return *(struct vm **)lua_getextraspace(L);
}

static const char PINNED = 0; /* its address is a registry key */

/* Lua makes this string when an error handler fails, outside any protection: it must be there
 * already when the heap is full. */
static void pin_error_text(lua_State *L)
{
    lua_pushliteral(L, "error in error handling");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &PINNED);
}

static int open_all(lua_State *L)
{
    pin_error_text(L);
    values_open(L);
    stdlib_open(L);
    modules_open(L);
    api_open(L);
    return 0;
}

static struct bytes without_end_slashes(struct bytes path)
{
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    return path;
}

static int protect(struct vm *vm, lua_CFunction body, void *argument, struct error *error)
{
    lua_State *L = vm->L;
    vm->limits.stopped = NULL;
    vm->limits.memory_hit = false;
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, argument);
    if (lua_pcall(L, 1, 0, 0) == LUA_OK) return 0;
    struct buf text = {0};
    const char *limit = limits_hit(L);
    if (limit)
        buf_addz(&text, limit);
    else
        vm_error_text(L, &text);
    error_set(error, "%s", buf_text(&text));
    buf_free(&text);
    lua_pop(L, 1);
    return -1;
}

/* Makes the Lua state, up to where the script is loaded. */
static int open_state(struct vm *vm, struct error *error)
{
    vm->L = limits_new_state(&vm->limits, vm->memory);
    if (!vm->L) return error_set(error, "memory used up (vm_memory)");
    *(struct vm **)lua_getextraspace(vm->L) = vm;
    if (protect(vm, open_all, NULL, error) != 0) return -1;
    lua_gc(vm->L, LUA_GCCOLLECT); /* the script fills the holes */
    return 0;
}

struct vm *vm_new(const struct vm_options *options, struct error *error)
{
    struct vm *vm = mem_alloc(sizeof *vm);
    unsigned char seed[16];
    struct error reason;
    vm->log = options->log;
    vm->name = mem_copy(options->name);
    vm->folder = mem_copy(without_end_slashes(options->folder));
    vm->memory = (size_t)options->memory;
    vm->limits.cpu_us = options->cpu_us;
    vm->limits.watchdog = options->watchdog;
    vm->prelude = options->prelude;
    randombytes_buf(seed, sizeof seed);
    run_time_seed(vm->random, seed);
    if (open_state(vm, &reason) == 0) return vm;
    error_set(error, "%s: %s before the script was loaded", vm->name, reason.text);
    vm_free(vm);
    return NULL;
}

void vm_free(struct vm *vm)
{
    if (!vm) return;
    limits_close(&vm->limits, vm->L);
    offer_free_all(vm->offers);
    buf_free(&vm->source);
    buf_free(&vm->scratch);
    buf_free(&vm->scratch2);
    arena_free(&vm->tape);
    free(vm->chunk);
    free(vm->name);
    free(vm->folder);
    free(vm);
}

int vm_protect(struct vm *vm, lua_CFunction body, void *argument, struct error *error)
{
    limits_use_reserve(&vm->limits, true);
    int result = protect(vm, body, argument, error);
    limits_use_reserve(&vm->limits, false);
    return result;
}

/* Returns the line of the script that the message begins with, or nothing. */
static struct bytes source_line(const struct vm *vm, struct bytes message)
{
    struct finding f = finding_read(message);
    struct bytes rest = buf_bytes(&vm->source), line = {NULL, 0};
    if (!vm->chunk || !bytes_equal(f.file, bytes_of(vm->chunk + 1))) return line;
    while (f.line > 0 && bytes_split(&rest, '\n', &line))
        f.line--;
    return line;
}

static void explain_absent(const struct vm *vm, struct bytes message, struct buf *out)
{
    absent_explain(message, source_line(vm, message), out);
}

/* No conversion and no metamethod: neither may run, or raise, here. */
void vm_error_text(lua_State *L, struct buf *out)
{
    struct bytes text;
    size_t before = out->n;
    if (lua_type(L, -1) == LUA_TSTRING) {
        text.p = lua_tolstring(L, -1, &text.n);
        if (text.n > VM_ERROR_BYTES) text.n = VM_ERROR_BYTES;
        buf_add(out, text);
        explain_absent(vm_of(L), text, out);
    } else if (!api_failure_text(L, out)) {
        buf_printf(out, "an error that is a %s, not a text", luaL_typename(L, -1));
    }
    if (out->n > before + VM_ERROR_BYTES) out->n = before + VM_ERROR_BYTES;
}

int vm_load_text(lua_State *L, struct bytes source, const char *chunk)
{
    return luaL_loadbufferx(L, source.p ? source.p : "", source.n, chunk, "t");
}

static int read_all(int file, const char *path, struct buf *out, struct error *error)
{
    for (;;) {
        ssize_t got = read(file, buf_reserve(out, 4096), 4096);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return error_set(error, "%s: %s", path, strerror(errno));
        if (got == 0) return 0;
        out->n += (size_t)got;
        if (out->n > VM_SOURCE_BYTES)
            return error_set(error, "%s: larger than %d KiB; move parts of it to lib/", path,
                             VM_SOURCE_BYTES / 1024);
    }
}

/* Some editors put a byte order mark in front, which Lua's parser does not know. */
static int check_text(const char *path, struct buf *text, struct error *error)
{
    static const struct bytes mark = BYTES_INIT("\xEF\xBB\xBF");
    if (text->n && text->p[0] == LUA_SIGNATURE[0])
        return error_set(error, "%s: is compiled Lua; only source text is run", path);
    if (bytes_starts(buf_bytes(text), mark)) {
        text->n -= mark.n;
        memmove(text->p, text->p + mark.n, text->n);
    }
    return 0;
}

int vm_read_file(const char *path, struct buf *out, struct error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return error_set(error, "%s: %s", path, strerror(errno));
    int result = read_all(file, path, out, error);
    close(file);
    return result == 0 ? check_text(path, out, error) : result;
}

const char *vm_folder_name(const struct vm *vm)
{
    const char *slash = strrchr(vm->folder, '/');
    return slash ? slash + 1 : vm->folder;
}

/* Says why the text did not run; the error is on the top of the stack unless the VM is dead.
 * [-1|0, +0] */
static int explain(struct vm *vm, struct error *error)
{
    struct buf text = {0};
    bool dead = vm->limits.dead;
    const char *limit = dead ? vm->limits.stopped : limits_hit(vm->L);
    if (limit)
        buf_printf(&text, "%s: %s while loading", vm->chunk + 1, limit);
    else
        vm_error_text(vm->L, &text);
    error_set(error, "%s", buf_text(&text));
    buf_free(&text);
    if (!dead) lua_pop(vm->L, 1);
    return -1;
}

static int call_loaded(struct vm *vm)
{
    struct limits *l = &vm->limits;
    if (limits_escaped(l)) {
        limits_bury(l);
        return LUA_ERRRUN;
    }
    l->can_escape = 1;
    int status = lua_pcall(vm->L, 0, 1, 0);
    l->can_escape = 0; /* once this frame is left, there is nothing to jump to */
    return status;
}

/* Gives up what loading has left: most scripts of a folder are idle most of the time. */
static void tidy(struct vm *vm)
{
    limits_tidy(&vm->limits, vm->L);
    buf_free(&vm->scratch);
    buf_free(&vm->scratch2);
    arena_free(&vm->tape);
    if (vm->source.n == 0) return;
    vm->source.p = mem_realloc(vm->source.p, vm->source.n);
    vm->source.cap = vm->source.n;
}

/* Compiling is not counted: 64 KiB of text take no time worth it. [-0, +1|0] */
static int run_source(struct vm *vm, struct error *error)
{
    lua_State *L = vm->L;
    struct limits *l = &vm->limits;
    if (vm_load_text(L, buf_bytes(&vm->source), vm->chunk) != LUA_OK) return explain(vm, error);
    globals_note(L, vm->chunk);
    vm->logged = 0;
    limits_start(L, l->cpu_us, -1, false);
    l->slices = false;
    int status = call_loaded(vm);
    limits_stop(l);
    int result = status == LUA_OK ? 0 : explain(vm, error);
    globals_tell(vm);
    if (result == 0) tidy(vm);
    return result;
}

int vm_run_file(struct vm *vm, const char *path, struct error *error)
{
    const char *file = strrchr(path, '/');
    struct buf chunk = {0};
    buf_clear(&vm->source);
    if (vm_read_file(path, &vm->source, error) != 0) return -1;
    /* "scripts/x.lua": short enough for Lua not to cut it in messages */
    buf_printf(&chunk, "@%s/%s", vm_folder_name(vm), file ? file + 1 : path);
    free(vm->chunk);
    vm->chunk = buf_take(&chunk, NULL);
    return run_source(vm, error);
}

void vm_abandon(struct vm *vm)
{
    limits_bury(&vm->limits);
    vm->idle = NULL;
}

int vm_revive(struct vm *vm, struct error *error)
{
    struct limits fresh = {.watchdog = vm->limits.watchdog, .cpu_us = vm->limits.cpu_us};
    limits_close(&vm->limits, vm->L);
    vm->limits = fresh;
    vm->L = NULL;
    vm->idle = NULL;
    vm->epoch++;
    int result = open_state(vm, error);
    if (result == 0) result = run_source(vm, error);
    if (result == 0)
        lua_settop(vm->L, 0);
    else
        vm->limits.dead = true;
    return result;
}
