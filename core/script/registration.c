#include "script/registration.h"

#include "base/mem.h"
#include "script/api.h"
#include "script/finding.h"
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
        free(first->file);
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

static void warn(struct vm *vm, const struct definition *d, const char *member, struct bytes fault)
{
    struct buf text = {0};
    fault = after_member(fault);
    buf_printf(&text, "tool %s: %s%.*s", d->name, member, BYTES_ARG(fault));
    struct finding f = {true, bytes_of(d->file), d->line, buf_bytes(&text)};
    if (vm->findings)
        vm->findings->add(vm->findings->arg, &f);
    else
        finding_log(&f, vm->log);
    buf_free(&text);
}

static struct schema *compile(struct vm *vm, const struct json *tool, const struct definition *d,
                              const char *member, struct error *error)
{
    struct buf warnings = {0};
    struct error fault;
    struct schema *s = schema_compile(json_get(tool, member), 0, &warnings, &fault);
    struct bytes rest = buf_bytes(&warnings), line;
    while (bytes_split(&rest, '\n', &line))
        if (line.n) warn(vm, d, member, line);
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
    d->input = compile(vm, tool, d, "inputSchema", error);
    if (!d->input) return -1;
    if (!json_get(tool, "outputSchema")) return 0;
    struct schema *output = compile(vm, tool, d, "outputSchema", error);
    schema_free(output);
    return output ? 0 : -1;
}

/* Where the script stands: at its call of mcp.tool. */
static void note_place(lua_State *L, struct definition *d)
{
    lua_Debug at;
    if (api_script_line(L, &at)) {
        d->file = mem_copy(bytes_of(at.source[0] == '@' ? at.source + 1 : at.short_src));
        d->line = at.currentline;
    } else {
        struct buf file = {0};
        buf_printf(&file, "%s/%s.lua", vm_folder_name(vm_of(L)), vm_of(L)->name);
        d->file = buf_take(&file, NULL);
    }
}

/* A VM that is made anew runs the same text: what it registers is known, but for its place. */
static int define_again(struct vm *vm, const struct definition *again, struct error *error)
{
    for (struct definition *d = vm->definitions; d; d = d->next) {
        if (strcmp(d->name, again->name) != 0 || strcmp(d->json, again->json) != 0) continue;
        d->handle = again->handle;
        return 0;
    }
    return error_set(error, "tool %s was not registered like this before", again->name);
}

/* Adds the tool whose public part is at 1. Runs no Lua and raises nothing: `d` is owned here. */
static int define(lua_State *L, int handle, struct error *error)
{
    struct vm *vm = vm_of(L);
    buf_clear(&vm->scratch);
    if (values_write_value(L, 1, &vm->scratch, error) != 0) return -1;
    struct definition *d = mem_alloc(sizeof *d);
    struct definition **end = &vm->definitions;
    note_place(L, d);
    int result = read_definition(vm, d, error);
    arena_free(&vm->tape);
    d->handle = handle;
    if (result == 0 && vm->epoch > 0) {
        result = define_again(vm, d, error);
        registration_free(d);
        return result;
    }
    for (; result == 0 && *end; end = &(*end)->next)
        if (strcmp((*end)->name, d->name) == 0)
            result = error_set(error, "the script has registered a tool of this name already");
    if (result != 0) {
        registration_free(d);
        return -1;
    }
    *end = d;
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
