#include <lauxlib.h>

#include "wire/rpc.h"

int unit_rpc(lua_State *L);

static const char *const NAMES[] = {
    [RPC_PARSE_ERROR] = "parse_error",
    [RPC_INVALID_REQUEST] = "invalid_request",
    [RPC_METHOD_NOT_FOUND] = "method_not_found",
    [RPC_LEGACY_METHOD_NOT_FOUND] = "legacy_method_not_found",
    [RPC_INVALID_PARAMS] = "invalid_params",
    [RPC_INVALID_META] = "invalid_meta",
    [RPC_INTERNAL_ERROR] = "internal_error",
    [RPC_HANDLER_FAILED] = "handler_failed",
    [RPC_RESOURCE_NOT_FOUND] = "resource_not_found",
    [RPC_HEADER_MISMATCH] = "header_mismatch",
    [RPC_CAPABILITY_MISSING] = "capability_missing",
    [RPC_VERSION_UNSUPPORTED] = "version_unsupported",
    [RPC_URL_ELICITATION_REQUIRED] = "url_elicitation_required",
    [RPC_SESSION_NOT_FOUND] = "session_not_found",
    [RPC_BUSY] = "busy",
    NULL,
};

static struct bytes opt_bytes(lua_State *L, int at)
{
    struct bytes b = {NULL, 0};
    b.p = luaL_optlstring(L, at, NULL, &b.n);
    return b;
}

static void set_bytes(lua_State *L, const char *key, struct bytes value)
{
    if (!value.p) return;
    lua_pushlstring(L, value.p, value.n);
    lua_setfield(L, -2, key);
}

static struct bytes raw(const struct json *v)
{
    return v ? v->raw : (struct bytes){NULL, 0};
}

/* read(text) gives a table of what was read, and the name of the code and the reason if refused */
static int read(lua_State *L)
{
    static const char *const KINDS[] = {"request", "notification", "response"};
    struct arena arena = {0};
    struct json_error bad;
    struct rpc_message m;
    enum rpc_code code;
    const char *reason;
    const struct json *root = json_parse(&arena, opt_bytes(L, 1), &JSON_LIMITS, &bad);
    int rc = root ? rpc_read(root, &m, &code, &reason) : -1;

    if (!root) {
        arena_free(&arena);
        return luaL_error(L, "the test's JSON is wrong: %s", bad.reason);
    }
    lua_newtable(L);
    set_bytes(L, "id", m.id);
    if (rc == 0) {
        set_bytes(L, "kind", bytes_of(KINDS[m.kind]));
        set_bytes(L, "method", m.method);
        set_bytes(L, "params", raw(m.params));
        set_bytes(L, "result", raw(m.result));
        set_bytes(L, "error", raw(m.error));
    } else {
        lua_pushstring(L, NAMES[code]);
        lua_pushstring(L, reason);
    }
    arena_free(&arena);
    return rc == 0 ? 1 : 3;
}

static int codes(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; NAMES[i]; i++) {
        lua_pushfstring(L, "%d/%d", rpc_code_number((enum rpc_code)i),
                        rpc_code_http_status((enum rpc_code)i));
        lua_setfield(L, -2, NAMES[i]);
    }
    return 1;
}

static int push_and_free(lua_State *L, struct buf *out)
{
    lua_pushlstring(L, buf_text(out), out->n);
    buf_free(out);
    return 1;
}

static int result(lua_State *L)
{
    struct buf out = {0};
    rpc_write_result(&out, opt_bytes(L, 1), opt_bytes(L, 2));
    return push_and_free(L, &out);
}

static int error(lua_State *L)
{
    struct buf out = {0};
    enum rpc_code code = (enum rpc_code)luaL_checkoption(L, 2, NULL, NAMES);
    rpc_write_error(&out, opt_bytes(L, 1), code, opt_bytes(L, 3), opt_bytes(L, 4));
    return push_and_free(L, &out);
}

static int request(lua_State *L)
{
    struct buf out = {0};
    rpc_write_request(&out, opt_bytes(L, 1), opt_bytes(L, 2), opt_bytes(L, 3));
    return push_and_free(L, &out);
}

static int notification(lua_State *L)
{
    struct buf out = {0};
    rpc_write_notification(&out, opt_bytes(L, 1), opt_bytes(L, 2));
    return push_and_free(L, &out);
}

/* is_id(id, json) → whether the JSON text is that id */
static int is_id(lua_State *L)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *value = json_parse(&arena, opt_bytes(L, 2), &JSON_LIMITS, &fault);
    lua_pushboolean(L, rpc_is_id(opt_bytes(L, 1), value));
    arena_free(&arena);
    return 1;
}

int unit_rpc(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read},       {"codes", codes},
                                         {"result", result},   {"error", error},
                                         {"request", request}, {"notification", notification},
                                         {"is_id", is_id},     {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
