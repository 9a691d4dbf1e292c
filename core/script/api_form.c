#include "script/api_form.h"

#include "schema/form.h"
#include "schema/schema.h"
#include "script/api.h"
#include "script/grants_http.h"
#include "script/values_write.h"
#include "script/vm.h"

/* Writes argument `at` and parses it again into the VM's tape. Raises what can't be JSON. */
static const struct json *check_json(lua_State *L, int at, struct buf *text)
{
    struct vm *vm = vm_of(L);
    struct error error;
    struct json_error fault;
    luaL_checkany(L, at);
    buf_clear(text);
    if (values_write_value(L, at, text, &error) != 0) luaL_error(L, "%s", error.text);
    const struct json *root = json_parse(&vm->tape, buf_bytes(text), &JSON_LIMITS, &fault);
    if (!root) luaL_error(L, "too large a value: %s", fault.reason);
    return root;
}

static const struct json *parse_params(lua_State *L, const char *what, struct bytes params)
{
    struct vm *vm = vm_of(L);
    struct json_error fault;
    arena_free(&vm->tape);
    const struct json *root = json_parse(&vm->tape, params, &JSON_LIMITS, &fault);
    if (!root)
        api_refuse(L, lua_pushfstring(L, "%s: too large a question: %s", what, fault.reason));
    return root;
}

void api_form_check_url(lua_State *L, const char *what, struct bytes params)
{
    struct buf *origin = &vm_of(L)->scratch2;
    struct bytes url = json_string(json_get(parse_params(L, what, params), "url"));
    struct error error;
    buf_clear(origin);
    if (grants_http_origin(url, what, origin, &error) != 0) api_refuse(L, error.text);
}

void api_form_check(lua_State *L, const char *what, struct bytes params)
{
    const struct json *root = parse_params(L, what, params);
    struct error error;
    if (form_check(json_get(root, "requestedSchema"), &error) != 0)
        api_refuse(L, lua_pushfstring(L, "%s: %s", what, error.text));
}

/* Compiled anew for each answer: a form may hold values of the call, and an answer is rare. */
static int check_content(lua_State *L)
{
    struct vm *vm = vm_of(L);
    struct error error;
    arena_free(&vm->tape);
    const struct json *schema = check_json(L, 1, &vm->scratch);
    const struct json *content = check_json(L, 2, &vm->scratch2);
    struct schema *form = schema_compile(schema, SCHEMA_ASSERT_FORMAT, NULL, &error);
    if (!form) return luaL_error(L, "requestedSchema%s", error.text);
    buf_clear(&vm->scratch);
    bool valid = schema_valid(form, content, "content", &vm->scratch);
    schema_free(form);
    if (valid) return 0;
    lua_pushlstring(L, vm->scratch.p, vm->scratch.n);
    return 1;
}

const luaL_Reg API_FORM[] = {{"check_content", check_content}, {NULL, NULL}};
