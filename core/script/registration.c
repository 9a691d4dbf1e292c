#include "script/registration.h"

#include "base/mem.h"
#include "script/values_write.h"
#include "script/vm.h"

#include <lauxlib.h>
#include <stdlib.h>

void registration_free(struct definition *first)
{
    while (first) {
        struct definition *next = first->next;
        schema_free(first->input);
        free(first->name);
        free(first->json);
        free(first);
        first = next;
    }
}

static struct definition *append(struct vm *vm)
{
    struct definition **end = &vm->definitions;
    while (*end)
        end = &(*end)->next;
    *end = mem_alloc(sizeof **end);
    return *end;
}

static void log_warnings(struct vm *vm, const char *tool, struct bytes warnings)
{
    struct bytes line;
    while (bytes_split(&warnings, '\n', &line))
        if (line.n)
            log_line(vm->log, LOG_WARNING, "%s: tool %s: inputSchema%.*s", vm->name, tool,
                     BYTES_ARG(line));
}

/* Fills in `d` from the Tool object written in vm->scratch. Runs no Lua. */
static int define(struct vm *vm, struct definition *d, struct error *error)
{
    struct json_error fault;
    struct buf warnings = {0};
    arena_free(&vm->tape);
    const struct json *tool = json_parse(&vm->tape, buf_bytes(&vm->scratch), &JSON_LIMITS, &fault);
    if (!tool) return error_set(error, "the definition is too large: %s", fault.reason);
    d->json = mem_copy(buf_bytes(&vm->scratch));
    d->name = mem_copy(json_string(json_get(tool, "name")));
    d->input = schema_compile(json_get(tool, "inputSchema"), 0, &warnings, error);
    log_warnings(vm, d->name, buf_bytes(&warnings));
    buf_free(&warnings);
    arena_free(&vm->tape);
    return d->input ? 0 : -1;
}

int registration_tool(lua_State *L)
{
    struct vm *vm = vm_of(L);
    struct error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    struct definition *d = append(vm);
    d->handle = luaL_ref(L, LUA_REGISTRYINDEX);
    buf_clear(&vm->scratch);
    if (values_write_value(L, 1, &vm->scratch, &error) != 0 || define(vm, d, &error) != 0) {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    lua_pushboolean(L, 1);
    return 1;
}
