#include "script/values_write.h"

#include "base/mem.h"
#include "script/values.h"
#include "wire/json_write.h"
#include "wire/utf8.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    lua_State *L;
    struct buf *out;
    struct error *error;
    int depth;
    struct buf path; /* of the value being written, for errors */
};

static int write_value(struct writer *w, int at);

static int fail(struct writer *w, const char *what)
{
    if (w->path.n == 0) return error_set(w->error, "%s can't be JSON", what);
    return error_set(w->error, "%s can't be JSON (at %s)", what, buf_text(&w->path));
}

/* Every name of an object goes on the Lua stack. */
static int check_members(struct writer *w, lua_Integer n)
{
    if (n > VALUES_MEMBERS) return fail(w, "an object of more than 10000 members");
    return lua_checkstack(w->L, (int)n + 8) ? 0 : fail(w, "a table this large");
}

static int write_number(struct writer *w, int at)
{
    if (lua_isinteger(w->L, at)) {
        buf_add_int(w->out, lua_tointeger(w->L, at));
        return 0;
    }
    if (json_write_double(w->out, lua_tonumber(w->L, at)) != 0) return fail(w, "inf or nan");
    return 0;
}

static int check_size(struct writer *w, size_t more)
{
    if (w->out->n + more <= VALUES_TEXT_BYTES) return 0;
    return fail(w, "a value of more than 4 MiB");
}

static int write_string(struct writer *w, int at)
{
    struct bytes text;
    text.p = lua_tolstring(w->L, at, &text.n);
    if (check_size(w, text.n) != 0) return -1;
    if (!utf8_valid(text)) return fail(w, "a string that is not valid UTF-8");
    json_write_string(w->out, text);
    return check_size(w, 0);
}

/* Counts the entries of the table at `at`, and whether all keys are strings. */
static lua_Integer count_entries(lua_State *L, int at, bool *strings_r)
{
    lua_Integer n = 0;
    *strings_r = true;
    lua_pushnil(L);
    while (lua_next(L, at)) {
        if (lua_type(L, -2) != LUA_TSTRING) *strings_r = false;
        lua_pop(L, 1);
        n++;
    }
    return n;
}

/* By identity: a script can't make the mark, only ask for it. */
static bool marked_array(lua_State *L, int at)
{
    if (!lua_getmetatable(L, at)) return false;
    values_push_array_metatable(L);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

/* The path grows on the way down and is cut on the way up: it is right when something fails. */
static int write_element(struct writer *w, int at, lua_Integer i)
{
    size_t length = w->path.n;
    buf_addc(&w->path, '[');
    buf_add_int(&w->path, i);
    buf_addc(&w->path, ']');
    if (i > 1) buf_addc(w->out, ',');
    lua_rawgeti(w->L, at, i);
    int result = write_value(w, lua_gettop(w->L));
    lua_pop(w->L, 1);
    w->path.n = length;
    return result;
}

static int write_array(struct writer *w, int at, lua_Integer n)
{
    buf_addc(w->out, '[');
    for (lua_Integer i = 1; i <= n; i++)
        if (write_element(w, at, i) != 0) return -1;
    buf_addc(w->out, ']');
    return 0;
}

struct member {
    struct bytes name;
    int at; /* its key on the Lua stack */
    lua_Integer rank;
};

static int by_rank(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return bytes_compare(x->name, y->name);
}

static int write_member_value(struct writer *w, int at, const struct member *m)
{
    size_t length = w->path.n;
    if (length) buf_addc(&w->path, '.');
    buf_add(&w->path, m->name);
    lua_pushvalue(w->L, m->at);
    lua_rawget(w->L, at);
    int result = write_value(w, lua_gettop(w->L));
    lua_pop(w->L, 1);
    w->path.n = length;
    return result;
}

static int write_member(struct writer *w, int at, const struct member *m)
{
    if (!utf8_valid(m->name)) return fail(w, "a name that is not valid UTF-8");
    if (check_size(w, m->name.n) != 0) return -1;
    json_write_string(w->out, m->name);
    buf_addc(w->out, ':');
    return write_member_value(w, at, m);
}

/* Where the text goes on, its reader joins other members to these. */
static int write_meta(struct writer *w, int at, const struct member *m, struct buf *meta)
{
    struct buf *out = w->out;
    w->out = meta;
    int result = write_member_value(w, at, m);
    w->out = out;
    if (result == 0 && meta->p[0] != '{')
        return error_set(w->error, "_meta must be a table with string keys");
    return result;
}

/* What has no rank comes last. [-0, +0] */
static void rank_members(lua_State *L, int at, struct member *members, size_t n)
{
    bool ordered = values_push_order(L, at);
    for (size_t i = 0; i < n; i++) {
        members[i].rank = LUA_MAXINTEGER;
        if (!ordered) continue;
        lua_pushvalue(L, members[i].at);
        if (lua_rawget(L, -2) == LUA_TNUMBER) members[i].rank = lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    if (ordered) lua_pop(L, 1);
}

/* Pushes the `n` string keys of the table and sorts them in `members`. */
static void sort_members(lua_State *L, int at, struct member *members)
{
    size_t n = 0;
    lua_pushnil(L);
    while (lua_next(L, at)) {
        lua_pop(L, 1);
        members[n].name.p = lua_tolstring(L, -1, &members[n].name.n);
        members[n++].at = lua_gettop(L);
        lua_pushvalue(L, -1);
    }
    rank_members(L, at, members, n);
    qsort(members, n, sizeof *members, by_rank);
}

/* Writes the members, `_meta` apart if `meta` is given. Keys are kept on the Lua stack, and values
 * fetched with them: nothing here allocates in Lua, so nothing can raise. */
static int write_members(struct writer *w, int at, size_t n, struct buf *meta)
{
    struct member few[16];
    struct member *members = n <= 16 ? few : mem_alloc(n * sizeof *members);
    int top = lua_gettop(w->L);
    int result = 0;
    bool first = true;
    sort_members(w->L, at, members);
    for (size_t i = 0; result == 0 && i < n; i++) {
        if (meta && bytes_equal(members[i].name, BYTES("_meta"))) {
            result = write_meta(w, at, &members[i], meta);
            continue;
        }
        if (!first) buf_addc(w->out, ',');
        first = false;
        result = write_member(w, at, &members[i]);
    }
    lua_settop(w->L, top);
    if (members != few) free(members);
    return result;
}

static int write_table(struct writer *w, int at)
{
    bool strings;
    lua_State *L = w->L;
    lua_Integer n = count_entries(L, at, &strings);
    lua_Integer length = (lua_Integer)lua_rawlen(L, at);
    if (marked_array(L, at)) {
        if (length < n) return fail(w, "an array with gaps or other keys than 1 to n");
        return write_array(w, at, length);
    }
    if (n > 0 && !strings) {
        if (length != n) return fail(w, "a table with both names and numbers as keys, or gaps,");
        return write_array(w, at, n);
    }
    if (check_members(w, n) != 0) return -1;
    buf_addc(w->out, '{');
    if (write_members(w, at, (size_t)n, NULL) != 0) return -1;
    buf_addc(w->out, '}');
    return 0;
}

static int write_nested(struct writer *w, int at)
{
    if (w->depth >= VALUES_DEPTH) return fail(w, "a table more than 64 deep, or inside itself,");
    if (!lua_checkstack(w->L, 8)) return fail(w, "a table this deep");
    w->depth++;
    int result = write_table(w, at);
    w->depth--;
    return result;
}

/* NULL is how lua-cjson writes null too, so that values may pass between the two. */
static int write_light(struct writer *w, int at)
{
    if (lua_touserdata(w->L, at)) return fail(w, "a userdata");
    buf_addz(w->out, "null");
    return 0;
}

static int write_value(struct writer *w, int at)
{
    if (check_size(w, 0) != 0) return -1;
    switch (lua_type(w->L, at)) {
    case LUA_TBOOLEAN:
        buf_addz(w->out, lua_toboolean(w->L, at) ? "true" : "false");
        return 0;
    case LUA_TNUMBER:
        return write_number(w, at);
    case LUA_TSTRING:
        return write_string(w, at);
    case LUA_TTABLE:
        return write_nested(w, at);
    case LUA_TLIGHTUSERDATA:
        return write_light(w, at);
    case LUA_TNIL:
        return fail(w, "nil");
    case LUA_TFUNCTION:
        return fail(w, "a function");
    default:
        return fail(w, "a userdata");
    }
}

int values_write_value(lua_State *L, int at, struct buf *out, struct error *error)
{
    struct writer w = {L, out, error, 0, {0}};
    if (!lua_checkstack(L, 8)) return error_set(error, "the Lua stack is full");
    int result = write_value(&w, lua_absindex(L, at));
    buf_free(&w.path);
    return result;
}

int values_write_members(lua_State *L, int at, struct buf *out, struct buf *meta,
                         struct error *error)
{
    struct writer w = {L, out, error, 1, {0}};
    bool strings;
    at = lua_absindex(L, at);
    if (!lua_checkstack(L, 8)) return error_set(error, "the Lua stack is full");
    lua_Integer n = count_entries(L, at, &strings);
    int result = strings ? check_members(&w, n) : fail(&w, "a list where an object is needed");
    if (result == 0) result = write_members(&w, at, (size_t)n, meta);
    buf_free(&w.path);
    return result;
}
