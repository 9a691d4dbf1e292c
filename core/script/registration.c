#include "script/registration.h"

#include "base/mem.h"
#include "script/values_write.h"
#include "script/vm.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

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

/* A fault at the root of a schema has the path "/": "inputSchema: …", not "inputSchema/: …". */
static struct bytes after_member(struct bytes fault)
{
    if (bytes_starts(fault, BYTES("/:"))) return (struct bytes){fault.p + 1, fault.n - 1};
    return fault;
}

static void log_warnings(struct vm *vm, const char *tool, const char *member, struct bytes warnings)
{
    struct bytes line;
    while (bytes_split(&warnings, '\n', &line)) {
        if (line.n == 0) continue;
        line = after_member(line);
        log_line(vm->log, LOG_WARNING, "%s: tool %s: %s%.*s", vm->name, tool, member,
                 BYTES_ARG(line));
    }
}

static struct schema *compile(struct vm *vm, const struct json *tool, const char *name,
                              const char *member, struct error *error)
{
    struct buf warnings = {0};
    struct error fault;
    struct schema *s = schema_compile(json_get(tool, member), 0, &warnings, &fault);
    log_warnings(vm, name, member, buf_bytes(&warnings));
    buf_free(&warnings);
    if (s) return s;
    struct bytes reason = after_member(bytes_of(fault.text));
    error_set(error, "%s%.*s", member, BYTES_ARG(reason));
    return NULL;
}

/* Fills in `d` from the Tool object written in vm->scratch. The schema of the output is compiled
 * for its mistakes only. */
static int read_definition(struct vm *vm, struct definition *d, struct error *error)
{
    struct json_error fault;
    arena_free(&vm->tape);
    const struct json *tool = json_parse(&vm->tape, buf_bytes(&vm->scratch), &JSON_LIMITS, &fault);
    if (!tool) return error_set(error, "the definition is too large: %s", fault.reason);
    d->json = mem_copy(buf_bytes(&vm->scratch));
    d->name = mem_copy(json_string(json_get(tool, "name")));
    d->input = compile(vm, tool, d->name, "inputSchema", error);
    if (!d->input) return -1;
    if (!json_get(tool, "outputSchema")) return 0;
    struct schema *output = compile(vm, tool, d->name, "outputSchema", error);
    schema_free(output);
    return output ? 0 : -1;
}

/* Adds the tool whose public part is at 1. Runs no Lua and raises nothing: `d` is owned here. */
static int define(lua_State *L, int handle, struct error *error)
{
    struct vm *vm = vm_of(L);
    buf_clear(&vm->scratch);
    if (values_write_value(L, 1, &vm->scratch, error) != 0) return -1;
    struct definition *d = mem_alloc(sizeof *d);
    struct definition **end = &vm->definitions;
    int result = read_definition(vm, d, error);
    arena_free(&vm->tape);
    for (; result == 0 && *end; end = &(*end)->next)
        if (strcmp((*end)->name, d->name) == 0)
            result = error_set(error, "the script has registered a tool of this name already");
    if (result != 0) {
        registration_free(d);
        return -1;
    }
    *end = d;
    d->handle = handle;
    return 0;
}

/* What may raise comes first: nothing is owned by C then. */
int registration_tool(lua_State *L)
{
    struct error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    int handle = luaL_ref(L, LUA_REGISTRYINDEX);
    int result = vm_of(L)->running
                     ? error_set(&error, "tools are registered while the script loads, not in a "
                                         "handler")
                     : define(L, handle, &error);
    if (result != 0) {
        luaL_unref(L, LUA_REGISTRYINDEX, handle);
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    lua_pushboolean(L, 1);
    return 1;
}
