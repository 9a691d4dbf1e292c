#include <lauxlib.h>

#include "call/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int unit_file(lua_State *L);

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes text;
    text.p = luaL_checklstring(L, at, &text.n);
    return text;
}

/* read(scripts folder, granted folder, path) → text, true | "", false | nil, why */
static int read_file(lua_State *L)
{
    struct error error;
    struct buf out = {0};
    bool found;
    if (file_read(luaL_checkstring(L, 1), check_bytes(L, 2), check_bytes(L, 3), &out, &found,
                  &error) != 0) {
        buf_free(&out);
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    lua_pushlstring(L, out.p ? out.p : "", out.n);
    lua_pushboolean(L, found);
    buf_free(&out);
    return 2;
}

static int try(lua_State *L, int (*opener)(int folder, const char *path))
{
    int folder = open(luaL_checkstring(L, 1), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return luaL_error(L, "no folder");
    int fd = opener(folder, luaL_checkstring(L, 2));
    int number = errno;
    close(folder);
    if (fd >= 0) {
        close(fd);
        lua_pushliteral(L, "opened");
    } else {
        lua_pushstring(L, strerror(number));
    }
    return 1;
}

/* open(folder, path), walk(folder, path) → "opened" or why not */
static int do_open(lua_State *L)
{
    return try(L, file_open);
}

static int do_walk(lua_State *L)
{
    return try(L, file_walk);
}

/* fifo(path) makes one */
static int make_fifo(lua_State *L)
{
    return mkfifo(luaL_checkstring(L, 1), 0600) == 0 ? 0 : luaL_error(L, "no fifo");
}

int unit_file(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read_file},
                                         {"open", do_open},
                                         {"walk", do_walk},
                                         {"fifo", make_fifo},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
