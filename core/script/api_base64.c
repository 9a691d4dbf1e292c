#include "script/api_base64.h"

#include "script/values_write.h"
#include "script/vm.h"

#include <sodium.h>

/* Of what fits into a result when it is encoded. */
enum { MOST_BYTES = VALUES_TEXT_BYTES / 4 * 3 };

static int encode(lua_State *L)
{
    size_t n;
    const char *bytes = luaL_checklstring(L, 1, &n);
    luaL_argcheck(L, n <= MOST_BYTES, 1, "more than 3 MiB do not fit into a result");
    luaL_Buffer out;
    size_t size = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);
    char *text = luaL_buffinitsize(L, &out, size);
    sodium_bin2base64(text, size, (const unsigned char *)bytes, n, sodium_base64_VARIANT_ORIGINAL);
    luaL_pushresultsize(&out, size - 1);
    return 1;
}

static int is_base64(lua_State *L)
{
    size_t n, decoded;
    const char *text = luaL_checklstring(L, 1, &n);
    struct buf *out = &vm_of(L)->scratch;
    if (n > VALUES_TEXT_BYTES) return 0;
    buf_clear(out);
    /* Room for what comes out; its bytes are not used. */
    unsigned char *room = (unsigned char *)buf_reserve(out, n / 4 * 3 + 3);
    int result = sodium_base642bin(room, n / 4 * 3 + 3, text, n, NULL, &decoded, NULL,
                                   sodium_base64_VARIANT_ORIGINAL);
    lua_pushboolean(L, result == 0);
    return 1;
}

const luaL_Reg API_BASE64[] = {
    {"base64", encode},
    {"is_base64", is_base64},
    {NULL, NULL},
};
