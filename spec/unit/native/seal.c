#include <lauxlib.h>
#include <sodium.h>
#include <string.h>

#include "call/base64url.h"
#include "call/seal.h"

int unit_seal(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

/* [-0, +1] the text stays on the stack, so that the view lives as long as the call */
static struct bytes field(lua_State *L, int at, const char *name)
{
    struct bytes b = {NULL, 0};
    if (lua_getfield(L, at, name) != LUA_TNIL) b = check_bytes(L, -1);
    return b;
}

static int64_t number(lua_State *L, int at, const char *name)
{
    lua_getfield(L, at, name);
    int64_t value = luaL_optinteger(L, -1, 0);
    lua_pop(L, 1);
    return value;
}

static struct seal_claim check_claim(lua_State *L, int at)
{
    struct seal_claim claim = {0};
    luaL_checktype(L, at, LUA_TTABLE);
    claim.method = field(L, at, "method");
    claim.target = field(L, at, "target");
    claim.principal = field(L, at, "principal");
    claim.audience = field(L, at, "audience");
    seal_digest(field(L, at, "arguments"), claim.arguments);
    struct bytes id = field(L, at, "call_id");
    if (id.n == sizeof claim.call_id) memcpy(claim.call_id, id.p, id.n);
    claim.issued_ms = number(L, at, "issued_ms");
    claim.expires_ms = number(L, at, "expires_ms");
    return claim;
}

static void set_text(lua_State *L, const char *name, struct bytes text)
{
    lua_pushlstring(L, text.p, text.n);
    lua_setfield(L, -2, name);
}

static void push_claim(lua_State *L, const struct seal_claim *claim, struct bytes payload)
{
    lua_newtable(L);
    set_text(L, "method", claim->method);
    set_text(L, "target", claim->target);
    set_text(L, "principal", claim->principal);
    set_text(L, "audience", claim->audience);
    set_text(L, "digest", (struct bytes){(const char *)claim->arguments, SEAL_DIGEST_BYTES});
    set_text(L, "call_id", (struct bytes){(const char *)claim->call_id, SEAL_CALL_ID_BYTES});
    set_text(L, "payload", payload);
    lua_pushinteger(L, claim->issued_ms);
    lua_setfield(L, -2, "issued_ms");
    lua_pushinteger(L, claim->expires_ms);
    lua_setfield(L, -2, "expires_ms");
}

static void check_keys(lua_State *L, int at, struct seal_keys *keys)
{
    struct error error = {""};
    if (keys_read(check_bytes(L, at), keys, &error) != 0) luaL_error(L, "%s", error.text);
}

/* close(keys, claim, payload) -> state, or nil when it is too long */
static int close_state(lua_State *L)
{
    struct seal_claim claim = check_claim(L, 2);
    struct bytes payload = check_bytes(L, 3);
    struct seal_keys keys;
    check_keys(L, 1, &keys);
    struct buf out = {0};
    buf_addz(&out, "before");
    size_t before = out.n;
    if (seal_close(&keys, &claim, payload, &out) == 0)
        lua_pushlstring(L, out.p + before, out.n - before);
    else if (out.n == before)
        lua_pushnil(L);
    else
        lua_pushliteral(L, "added something all the same");
    buf_free(&out);
    keys_free(&keys);
    return 1;
}

/* open(keys, state, expected, now_ms) -> claim with its payload, or nil and the fault's name */
static int open_state(lua_State *L)
{
    struct bytes state = check_bytes(L, 2);
    struct seal_claim expected = check_claim(L, 3);
    int64_t now_ms = luaL_checkinteger(L, 4);
    struct seal_keys keys;
    check_keys(L, 1, &keys);
    struct arena arena = {0};
    struct seal_claim claim;
    struct bytes payload;
    enum seal_fault fault = seal_open(&keys, state, &expected, now_ms, &arena, &claim, &payload);
    if (fault == SEAL_OK)
        push_claim(L, &claim, payload);
    else
        lua_pushnil(L);
    lua_pushstring(L, seal_fault_name(fault));
    lua_pushboolean(L, fault != SEAL_OK && (payload.p || claim.method.p || claim.expires_ms));
    arena_free(&arena);
    keys_free(&keys);
    return 3;
}

/* forge(keys, plain) -> a state that our key has sealed, with just anything inside */
static int forge(lua_State *L)
{
    unsigned char nonce[crypto_aead_xchacha20poly1305_ietf_NPUBBYTES] = {0};
    struct bytes plain = check_bytes(L, 2);
    unsigned char *sealed =
        lua_newuserdatauv(L, plain.n + crypto_aead_xchacha20poly1305_ietf_ABYTES, 0);
    struct seal_keys keys;
    check_keys(L, 1, &keys);
    struct buf state = {0};
    buf_addz(&state, "v1.");
    base64url_add(&state, keys.keys->id, KEYS_ID_BYTES);
    buf_addc(&state, '.');
    base64url_add(&state, nonce, sizeof nonce);
    unsigned long long n = 0;
    crypto_aead_xchacha20poly1305_ietf_encrypt(sealed, &n, (const unsigned char *)plain.p, plain.n,
                                               (const unsigned char *)state.p, state.n, NULL, nonce,
                                               keys.keys->key);
    buf_addc(&state, '.');
    base64url_add(&state, sealed, (size_t)n);
    lua_pushlstring(L, state.p, state.n);
    buf_free(&state);
    keys_free(&keys);
    return 1;
}

static int digest(lua_State *L)
{
    unsigned char out[SEAL_DIGEST_BYTES];
    seal_digest(check_bytes(L, 1), out);
    lua_pushlstring(L, (const char *)out, sizeof out);
    return 1;
}

static int faults(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; i < SEAL_FAULTS; i++) {
        lua_pushstring(L, seal_fault_name((enum seal_fault)i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

int unit_seal(lua_State *L)
{
    static const luaL_Reg functions[] = {{"close", close_state}, {"open", open_state},
                                         {"forge", forge},       {"digest", digest},
                                         {"faults", faults},     {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
