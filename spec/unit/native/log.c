#include <lauxlib.h>

#include "base/log.h"

#include <stdlib.h>

int unit_log(lua_State *L);

static enum log_level check_level(lua_State *L, int at)
{
    enum log_level level;
    if (log_level_read(luaL_checkstring(L, at), &level) != 0) luaL_error(L, "no such level");
    return level;
}

/* line(log's level, line's level, text) → what a log of that level then holds */
static int line(lua_State *L)
{
    enum log_level most = check_level(L, 1), level = check_level(L, 2);
    const char *text = luaL_checkstring(L, 3);
    char *written = NULL;
    size_t n = 0;
    struct log log = {open_memstream(&written, &n), most};
    log_line(&log, level, "%s", text);
    fclose(log.out);
    lua_pushlstring(L, written, n);
    free(written);
    return 1;
}

static int line_to_nobody(lua_State *L)
{
    log_line(NULL, LOG_EMERGENCY, "%s", luaL_checkstring(L, 1));
    return 0;
}

/* level(name) → the name of the level it reads as, or nil */
static int level(lua_State *L)
{
    enum log_level read;
    if (log_level_read(luaL_checkstring(L, 1), &read) == 0)
        lua_pushstring(L, log_level_name(read));
    else
        lua_pushnil(L);
    return 1;
}

int unit_log(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"line", line}, {"line_to_nobody", line_to_nobody}, {"level", level}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
