#include "script/prelude_code.h"

#include "base/buf.h"
#include "base/mem.h"
#include "prelude/prelude.h"
#include "script/vm.h"

#include <lauxlib.h>
#include <stdlib.h>

struct prelude_code {
    struct buf *parts; /* in the order of PRELUDE; empty until needed */
};

static size_t part_count(void)
{
    size_t n = 0;
    while (PRELUDE[n].name)
        n++;
    return n;
}

struct prelude_code *prelude_code_new(void)
{
    struct prelude_code *code = mem_alloc(sizeof *code);
    code->parts = mem_alloc(part_count() * sizeof *code->parts);
    return code;
}

void prelude_code_free(struct prelude_code *code)
{
    if (!code) return;
    for (size_t i = 0; i < part_count(); i++)
        buf_free(&code->parts[i]);
    free(code->parts);
    free(code);
}

static int add(lua_State *L, const void *data, size_t n, void *out)
{
    (void)L;
    buf_add(out, (struct bytes){data, n});
    return 0;
}

/* Compiles the part in a state of its own, so that no VM keeps the holes that it leaves. */
static int compile(struct buf *out, const struct prelude_part *part, const char *chunk)
{
    lua_State *L = luaL_newstate();
    if (!L) return LUA_ERRMEM;
    int status = vm_load_text(L, part->source, chunk);
    if (status == LUA_OK) lua_dump(L, add, out, 1);
    lua_close(L);
    return status;
}

int prelude_code_load(struct prelude_code *code, lua_State *L, const struct prelude_part *part,
                      const char *chunk)
{
    if (!code) return vm_load_text(L, part->source, chunk);
    struct buf *compiled = &code->parts[part - PRELUDE];
    if (!compiled->n && compile(compiled, part, chunk) != LUA_OK)
        return vm_load_text(L, part->source, chunk);
    return luaL_loadbufferx(L, compiled->p, compiled->n, chunk, "b");
}
