#include "script/registration.h"

#include "base/mem.h"
#include "script/api.h"
#include "script/finding.h"
#include "script/output.h"
#include "script/param_headers.h"
#include "script/values_write.h"
#include "script/vm.h"
#include "wire/uri_template.h"

#include <lauxlib.h>

/* A fault at the root of a schema has the path "/": "inputSchema: …", not "inputSchema/: …". */
static struct bytes after_member(struct bytes fault)
{
    if (bytes_starts(fault, BYTES("/:"))) return (struct bytes){fault.p + 1, fault.n - 1};
    return fault;
}

static void warn(struct vm *vm, const struct offer *o, const char *member, struct bytes fault)
{
    struct buf text = {0};
    fault = after_member(fault);
    buf_printf(&text, "%s %.*s: %s%.*s", offer_kind_text(o->kind), BYTES_ARG(o->name), member,
               BYTES_ARG(fault));
    struct finding f = {true, o->file, o->line, buf_bytes(&text)};
    if (vm->findings)
        vm->findings->add(vm->findings->arg, &f);
    else
        finding_log(&f, vm->log);
    buf_free(&text);
}

static struct schema *compile(struct offer *o, const struct json *schema, const char *member,
                              struct error *error)
{
    struct buf warnings = {0};
    struct error fault;
    struct schema *s = schema_compile(schema, 0, &warnings, &fault);
    struct bytes rest = buf_bytes(&warnings), line;
    while (bytes_split(&rest, '\n', &line))
        if (line.n) warn(o->vm, o, member, line);
    buf_free(&warnings);
    if (s) return s;
    struct bytes reason = after_member(bytes_of(fault.text));
    error_set(error, "%s%.*s", member, BYTES_ARG(reason));
    return NULL;
}

static int compile_tool(struct offer *o, const struct json *tool, struct error *error)
{
    o->input = compile(o, json_get(tool, "inputSchema"), "inputSchema", error);
    if (!o->input) return -1;
    if (param_headers_read(json_get(tool, "inputSchema"), &o->arena, &o->headers, error) != 0)
        return -1;
    if (!json_get(tool, "outputSchema")) return 0;
    o->output = compile(o, json_get(tool, "outputSchema"), "outputSchema", error);
    if (!o->output) return -1;
    if (!output_is_modern(tool)) return 0;
    struct buf legacy = {0};
    output_without(o->json, "outputSchema", &legacy);
    o->legacy_json = arena_copy(&o->arena, buf_bytes(&legacy));
    buf_free(&legacy);
    return 0;
}

static const struct json *parse(struct vm *vm, const struct buf *text, struct error *error)
{
    struct json_error fault;
    const struct json *json = json_parse(&vm->tape, buf_bytes(text), &JSON_LIMITS, &fault);
    if (!json) error_set(error, "the definition is too large: %s", fault.reason);
    return json;
}

/* Fills in `o` from what was written: its object in vm->scratch, the schema of a prompt's arguments
 * in vm->scratch2. */
static int read_offer(struct offer *o, struct error *error)
{
    struct vm *vm = o->vm;
    const struct json *public = parse(vm, &vm->scratch, error);
    if (!public) return -1;
    o->json = arena_copy(&o->arena, buf_bytes(&vm->scratch));
    o->name = arena_copy(&o->arena, json_string(json_get(public, "name")));
    o->key = arena_copy(&o->arena, json_string(json_get(public, offer_kind_key(o->kind))));
    if (o->kind == OFFER_TOOL) return compile_tool(o, public, error);
    if (o->kind == OFFER_TEMPLATE) {
        o->uris = uri_template_new(o->key, error);
        return o->uris ? 0 : -1;
    }
    if (vm->scratch2.n == 0) return 0;
    const struct json *arguments = parse(vm, &vm->scratch2, error);
    o->input = arguments ? compile(o, arguments, "arguments", error) : NULL;
    return o->input ? 0 : -1;
}

/* Where the script stands: at its call of mcp.tool and its like. */
static void note_place(lua_State *L, struct offer *o)
{
    lua_Debug at;
    if (api_script_line(L, &at)) {
        o->file =
            arena_copy(&o->arena, bytes_of(at.source[0] == '@' ? at.source + 1 : at.short_src));
        o->line = at.currentline;
    } else {
        struct buf file = {0};
        buf_printf(&file, "%s/%s.lua", vm_folder_name(o->vm), o->vm->name);
        o->file = arena_copy(&o->arena, buf_bytes(&file));
        buf_free(&file);
    }
}

/* A VM that is made anew runs the same text: what it registers is known, but for its place. */
static int register_again(struct offer *known, const struct offer *again, struct error *error)
{
    if (!known || !bytes_equal(known->json, again->json))
        return error_set(error, "%s %.*s was not registered like this before",
                         offer_kind_text(again->kind), BYTES_ARG(again->key));
    known->handle = again->handle;
    return 0;
}

static struct offer **find(struct offer **at, const struct offer *like)
{
    while (*at && ((*at)->kind != like->kind || !bytes_equal((*at)->key, like->key)))
        at = &(*at)->next;
    return at;
}

/* Takes `o` if it is the first of its kind and key. */
static int add(struct offer *o, struct error *error)
{
    struct offer **at = find(&o->vm->offers, o);
    if (o->vm->epoch > 0) {
        int result = register_again(*at, o, error);
        offer_free_all(o);
        return result;
    }
    if (!*at) {
        *at = o;
        return 0;
    }
    error_set(error, "the script has registered a %s of this %s already", offer_kind_text(o->kind),
              offer_kind_key(o->kind));
    offer_free_all(o);
    return -1;
}

/* The value at `at`, which may be nil, as JSON in `out`. */
static int write(lua_State *L, int at, struct buf *out, struct error *error)
{
    buf_clear(out);
    return lua_isnil(L, at) ? 0 : values_write_value(L, at, out, error);
}

/* Runs no Lua and raises nothing: what is made here is owned by C. */
static int offer(lua_State *L, enum offer_kind kind, int handle, const struct offer *like,
                 struct error *error)
{
    struct vm *vm = vm_of(L);
    if (write(L, 2, &vm->scratch, error) != 0) return -1;
    if (write(L, 4, &vm->scratch2, error) != 0) return -1;
    struct offer *o = mem_alloc(sizeof *o);
    o->kind = kind;
    o->vm = vm;
    o->script = bytes_of(vm->name);
    o->handle = handle;
    o->completes = like->completes;
    o->task = like->task;
    o->asks_first = like->asks_first;
    note_place(L, o);
    arena_free(&vm->tape);
    int result = read_offer(o, error);
    arena_free(&vm->tape);
    if (result == 0) return add(o, error);
    offer_free_all(o);
    return -1;
}

/* Of the definition at `at`, whose fields the prelude has checked. [-0, +0] */
static enum offer_task task_support(lua_State *L, int at)
{
    static const char *const names[] = {"forbidden", "optional", "required", NULL};
    enum offer_task task = OFFER_TASK_FORBIDDEN;
    if (lua_getfield(L, at, "execution") == LUA_TTABLE) {
        lua_getfield(L, -1, "taskSupport");
        task = (enum offer_task)luaL_checkoption(L, -1, "forbidden", names);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return task;
}

/* What may raise comes first: nothing is owned by C then. */
int registration_register(lua_State *L)
{
    static const char *const kinds[] = {"tool", "prompt", "resource", "resource_template", NULL};
    struct error error;
    enum offer_kind kind = (enum offer_kind)luaL_checkoption(L, 1, NULL, kinds);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 4);
    struct offer like = {.completes = lua_getfield(L, 3, "complete") != LUA_TNIL};
    like.task = task_support(L, 3);
    like.asks_first = lua_getfield(L, 3, "task") != LUA_TNIL;
    lua_pop(L, 1);
    lua_pushvalue(L, 3);
    int handle = luaL_ref(L, LUA_REGISTRYINDEX);
    int result = vm_of(L)->running
                     ? error_set(&error,
                                 "%ss are registered while the script loads, not in a "
                                 "handler",
                                 offer_kind_text(kind))
                     : offer(L, kind, handle, &like, &error);
    if (result != 0) {
        luaL_unref(L, LUA_REGISTRYINDEX, handle);
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    lua_pushboolean(L, 1);
    return 1;
}
