#include <lauxlib.h>

#include "cli/flags.h"

#include <stdint.h>

int unit_flags(lua_State *L);

enum { MOST = 8, FLAGS = 3 };

static int push_result(lua_State *L, const char *const *values, const struct flag *flags,
                       const char *const *words, int word_count)
{
    lua_newtable(L);
    for (int i = 0; i < FLAGS; i++) {
        lua_pushstring(L, values[i]);
        lua_setfield(L, -2, flags[i].name + 2);
    }
    for (int i = 0; i < word_count; i++) {
        lua_pushstring(L, words[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* read(word_count, argument, …) → { [name of flag] = value, word, … }, true for --help, or nil and
 * why. The flags are --store, --listen and --store-path, and --watch without a value. The last of
 * three words has "preset" in it before. */
static int read(lua_State *L)
{
    const char *values[FLAGS] = {NULL}, *words[MOST] = {NULL};
    bool help = false, watch = false;
    const struct flag flags[] = {{"--store", &values[0], NULL},
                                 {"--listen", &values[1], NULL},
                                 {"--store-path", &values[2], NULL},
                                 {"--watch", NULL, &watch},
                                 {NULL, NULL, NULL}};
    char *argv[MOST + 3] = {"lunask", "command", NULL};
    int word_count = (int)luaL_checkinteger(L, 1), argc = lua_gettop(L) + 1;
    struct error error;
    if (word_count == 3) words[2] = "preset";
    luaL_argcheck(L, argc <= MOST + 2 && word_count <= MOST, MOST, "too many");
    for (int i = 2; i < argc; i++)
        argv[i] = (char *)(uintptr_t)luaL_checkstring(L, i);
    if (flags_read(argc, argv, flags, words, word_count, &help, &error) == 0) {
        if (!help) {
            push_result(L, values, flags, words, word_count);
            if (watch) lua_pushboolean(L, true);
            if (watch) lua_setfield(L, -2, "watch");
            return 1;
        }
        lua_pushboolean(L, true);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

int unit_flags(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
