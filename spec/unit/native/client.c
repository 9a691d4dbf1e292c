#include <lauxlib.h>

#include "call/client.h"

int unit_client(lua_State *L);

/* [-0, +0] */
static const struct json *parse(lua_State *L, int at, struct arena *arena)
{
    struct json_error fault;
    struct bytes text;
    if (lua_isnoneornil(L, at)) return NULL;
    text.p = luaL_checklstring(L, at, &text.n);
    return json_parse(arena, text, &JSON_LIMITS, &fault);
}

/* supports(capabilities as JSON text or nil, capability, version or nil) */
static int supports(lua_State *L)
{
    struct arena arena = {0};
    struct client client = {.version = bytes_of(luaL_optstring(L, 3, NULL)),
                            .capabilities = parse(L, 1, &arena)};
    struct bytes capability;
    capability.p = luaL_checklstring(L, 2, &capability.n);
    lua_pushboolean(L, client_supports(&client, capability));
    arena_free(&arena);
    return 1;
}

static int required(lua_State *L)
{
    struct buf out = {0};
    client_write_required(bytes_of(luaL_checkstring(L, 1)), &out);
    lua_pushstring(L, buf_text(&out));
    buf_free(&out);
    return 1;
}

/* write(info, capabilities), both JSON text or nil → the ctx.client of scripts */
static int write(lua_State *L)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct client client = {.info = parse(L, 1, &arena), .capabilities = parse(L, 2, &arena)};
    client_write(&client, &out);
    lua_pushstring(L, buf_text(&out));
    buf_free(&out);
    arena_free(&arena);
    return 1;
}

int unit_client(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"supports", supports}, {"required", required}, {"write", write}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
