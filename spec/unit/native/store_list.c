#include <lauxlib.h>

#include "base/buf.h"
#include "cli/store_list.h"

#include <errno.h>

int unit_store_list(lua_State *L);

struct reader {
    lua_State *L;
    struct buf text;
};

/* A page has been written: the reader, if there is one, may do something, or refuse it. */
static ssize_t take_page(void *arg, const char *p, size_t n)
{
    struct reader *r = arg;
    if (lua_isfunction(r->L, 4)) {
        lua_pushvalue(r->L, 4);
        lua_pushlstring(r->L, p, n);
        lua_call(r->L, 1, 1);
        errno = (int)lua_tointeger(r->L, -1);
        lua_pop(r->L, 1);
        if (errno) return 0;
    }
    buf_add(&r->text, (struct bytes){p, n});
    return (ssize_t)n;
}

/* print(where, script, collection, on_page) → what was printed, why it failed if it did, the note.
 * `on_page(text)` is called for each page and may return an errno to refuse it with. */
static int print(lua_State *L)
{
    struct error error;
    struct reader reader = {.L = L};
    struct buf note = {0};
    lua_settop(L, 4);
    FILE *out = fopencookie(&reader, "w", (cookie_io_functions_t){.write = take_page});
    int result = store_list_print(luaL_checkstring(L, 1), bytes_of(luaL_checkstring(L, 2)),
                                  bytes_of(luaL_checkstring(L, 3)), out, &note, &error);
    fclose(out);
    lua_pushstring(L, buf_text(&reader.text));
    buf_free(&reader.text);
    lua_pushstring(L, result == 0 ? NULL : error.text);
    lua_pushstring(L, note.n ? buf_text(&note) : NULL);
    buf_free(&note);
    return 3;
}

int unit_store_list(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"print", print}, {"EPIPE", NULL}, {"ENOSPC", NULL}, {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_pushinteger(L, EPIPE);
    lua_setfield(L, -2, "EPIPE");
    lua_pushinteger(L, ENOSPC);
    lua_setfield(L, -2, "ENOSPC");
    return 1;
}
