#include "script/vm.h"

#include "base/mem.h"
#include "script/api.h"
#include "script/modules.h"
#include "script/registration.h"
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

static int open_all(lua_State *L)
{
    values_open(L);
    stdlib_open(L);
    modules_open(L);
    api_open(L);
    return 0;
}

struct vm *vm_new(const struct vm_options *options, struct error *error)
{
    struct vm *vm = mem_alloc(sizeof *vm);
    unsigned char seed[16];
    vm->log = options->log;
    vm->name = mem_copy(options->name);
    vm->folder = mem_copy(options->folder);
    vm->limits.most = (size_t)options->memory;
    vm->limits.cpu_us = options->cpu_us;
    randombytes_buf(seed, sizeof seed);
    run_time_seed(vm->random, seed);
    vm->L = limits_new_state(&vm->limits);
    if (!vm->L) {
        error_set(error, "%s: no memory for a Lua state (vm_memory)", vm->name);
        goto fail;
    }
    *(struct vm **)lua_getextraspace(vm->L) = vm;
    if (vm_protect(vm, open_all, NULL, error) != 0) goto fail;
    return vm;

fail:
    vm_free(vm);
    return NULL;
}

void vm_free(struct vm *vm)
{
    if (!vm) return;
    if (vm->L) lua_close(vm->L);
    registration_free(vm->definitions);
    buf_free(&vm->scratch);
    buf_free(&vm->scratch2);
    arena_free(&vm->tape);
    free(vm->name);
    free(vm->folder);
    free(vm);
}

int vm_protect(struct vm *vm, lua_CFunction body, void *argument, struct error *error)
{
    lua_State *L = vm->L;
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, argument);
    if (lua_pcall(L, 1, 0, 0) == LUA_OK) return 0;
    struct buf text = {0};
    vm_error_text(L, &text);
    error_set(error, "%s", buf_text(&text));
    buf_free(&text);
    lua_pop(L, 1);
    return -1;
}

/* No conversion and no metamethod: neither may run, or raise, here. */
void vm_error_text(lua_State *L, struct buf *out)
{
    struct bytes text;
    if (lua_type(L, -1) == LUA_TSTRING) {
        text.p = lua_tolstring(L, -1, &text.n);
        buf_add(out, text);
    } else if (!api_failure_text(L, out)) {
        buf_printf(out, "an error that is a %s, not a text", luaL_typename(L, -1));
    }
}

int vm_load_text(lua_State *L, struct bytes source, const char *chunk)
{
    return luaL_loadbufferx(L, source.p ? source.p : "", source.n, chunk, "t");
}

static int read_all(int file, const char *path, size_t most, struct buf *out, struct error *error)
{
    for (;;) {
        ssize_t got = read(file, buf_reserve(out, 4096), 4096);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return error_set(error, "%s: %s", path, strerror(errno));
        if (got == 0) return 0;
        out->n += (size_t)got;
        if (out->n > most)
            return error_set(error, "%s: larger than %zu KiB; move parts of it to lib/", path,
                             most / 1024);
    }
}

int vm_read_file(const char *path, size_t most, struct buf *out, struct error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return error_set(error, "%s: %s", path, strerror(errno));
    int result = read_all(file, path, most, out, error);
    close(file);
    return result;
}

/* "scripts/x.lua": short enough for Lua not to cut it in messages. */
static void chunk_name(const struct vm *vm, const char *path, struct buf *out)
{
    const char *folder = strrchr(vm->folder, '/');
    const char *file = strrchr(path, '/');
    folder = folder && folder[1] ? folder + 1 : vm->folder;
    buf_printf(out, "@%s/%s", folder, file ? file + 1 : path);
}

static int run_loaded(struct vm *vm, struct bytes source, const char *chunk, struct error *error)
{
    lua_State *L = vm->L;
    int status = vm_load_text(L, source, chunk);
    if (status == LUA_OK) {
        limits_start(L);
        status = lua_pcall(L, 0, 1, 0);
        limits_stop(L);
    }
    if (status == LUA_OK) return 0;
    struct buf text = {0};
    if (limits_hit(&vm->limits))
        buf_printf(&text, "%s: %s while loading", chunk + 1, limits_hit(&vm->limits));
    else
        vm_error_text(L, &text);
    error_set(error, "%s", buf_text(&text));
    buf_free(&text);
    lua_pop(L, 1);
    return -1;
}

int vm_run_file(struct vm *vm, const char *path, struct error *error)
{
    struct buf source = {0};
    struct buf chunk = {0};
    int result = vm_read_file(path, VM_SOURCE_BYTES, &source, error);
    if (result == 0) {
        chunk_name(vm, path, &chunk);
        result = run_loaded(vm, buf_bytes(&source), buf_text(&chunk), error);
    }
    buf_free(&source);
    buf_free(&chunk);
    return result;
}
