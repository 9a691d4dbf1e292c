#include <lauxlib.h>

#include "wire/address.h"

#include <arpa/inet.h>
#include <sys/un.h>

int unit_address(lua_State *L);

/* is_public(address as text; anything else is a socket of the file system) */
static int is_public(lua_State *L)
{
    const char *text = luaL_checkstring(L, 1);
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    struct sockaddr_un file = {.sun_family = AF_UNIX};
    const void *address = &file;
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        address = &v4;
    else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1)
        address = &v6;
    lua_pushboolean(L, address_is_public(address));
    return 1;
}

int unit_address(lua_State *L)
{
    static const luaL_Reg functions[] = {{"is_public", is_public}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
