#include "script/patterns.h"

#include "script/pattern_match.h"

#include <lauxlib.h>
#include <string.h>

/* Upvalues: the first of all functions, the others of an iterator of gmatch. */
enum { STOP = 1, SUBJECT, PATTERN, NEXT, REFUSED };

enum { PLAIN_BYTES_A_STEP = 8 };

/* The searches of one call. */
struct work {
    lua_State *L;
    struct pattern_match match;
    int64_t most;    /* steps */
    int64_t hook_at; /* how many are left when the hook is called next */
};

static struct bytes check_bytes(lua_State *L, int at)
{
    struct bytes b;
    b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

/* Returns the offset that the optional position at `at` stands for, counted from the end if it is
 * negative; it may be beyond the end. */
static size_t check_init(lua_State *L, int at, size_t length)
{
    lua_Integer init = luaL_optinteger(L, at, 1);
    if (init > 0) return (size_t)init - 1;
    if (init == 0 || init < -(lua_Integer)length) return 0;
    return length - (size_t)-init;
}

static void start(struct work *work, lua_State *L, struct bytes subject, struct bytes pattern,
                  bool may_anchor)
{
    const volatile int *stop = lua_touserdata(L, lua_upvalueindex(STOP));
    work->L = L;
    int64_t counted = subject.n < PATTERNS_BYTES ? (int64_t)subject.n : PATTERNS_BYTES;
    work->most = PATTERNS_STEPS + PATTERNS_STEPS_A_BYTE * counted;
    work->hook_at = work->most - PATTERNS_STEPS_A_HOOK;
    pattern_match_start(&work->match, subject, pattern, may_anchor, work->most, stop);
}

/* [-0, +0, the hook's errors] */
static void call_hook(lua_State *L)
{
    lua_Debug at = {.event = LUA_HOOKCOUNT, .currentline = -1};
    if (!(lua_gethookmask(L) & LUA_MASKCOUNT)) return;
    int top = lua_gettop(L);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_getstack(L, 0, &at);
    lua_gethook(L)(L, &at);
    lua_settop(L, top); /* hooks may leave things behind */
}

static int raise(struct work *work, enum pattern_match_result result)
{
    switch (result) {
    case PATTERN_MATCH_MALFORMED:
        return luaL_error(work->L, "%s", work->match.reason);
    case PATTERN_MATCH_TOO_LONG:
        return luaL_error(work->L,
                          "pattern too long (%I bytes, at most %d); match its parts one by one",
                          (lua_Integer)work->match.pattern.n, PATTERN_MATCH_BYTES);
    case PATTERN_MATCH_USED_UP:
        return luaL_error(work->L,
                          "pattern matching took more than %I steps; anchor the pattern or use a "
                          "simpler one",
                          (lua_Integer)work->most);
    default:
        return luaL_error(work->L, "pattern matching was stopped by the host");
    }
}

/* Returns whether there is a match; raises what else there may be. [-0, +0, error] */
static bool search(struct work *work, size_t from, size_t refused)
{
    enum pattern_match_result result = pattern_match_search(&work->match, from, refused);
    if (work->match.steps < work->hook_at || result == PATTERN_MATCH_STOPPED) {
        work->hook_at = work->match.steps - PATTERNS_STEPS_A_HOOK;
        call_hook(work->L);
    }
    if (result > PATTERN_MATCH_NONE) raise(work, result);
    return result == PATTERN_MATCH_FOUND;
}

/* The whole match stands in for the first capture of a pattern that has none. */
static struct pattern_match_capture capture_at(const struct work *work, unsigned i)
{
    const struct pattern_match *m = &work->match;
    struct pattern_match_capture capture = {m->start, (size_t)(m->end - m->start)};
    if (i < m->captures)
        capture = m->capture[i];
    else if (i > 0)
        luaL_error(work->L, "invalid capture index %%%d", (int)i + 1);
    if (capture.n == PATTERN_MATCH_UNFINISHED) luaL_error(work->L, "unfinished capture");
    return capture;
}

/* [-0, +1, error] */
static void push_capture(const struct work *work, unsigned i)
{
    struct pattern_match_capture capture = capture_at(work, i);
    if (capture.n == PATTERN_MATCH_POSITION)
        lua_pushinteger(work->L, capture.start - work->match.subject.p + 1);
    else
        lua_pushlstring(work->L, capture.start, capture.n);
}

/* Returns how many. [-0, +n, error] */
static int push_captures(const struct work *work, unsigned n)
{
    if (n > 0) luaL_checkstack(work->L, (int)n, "too many captures");
    for (unsigned i = 0; i < n; i++)
        push_capture(work, i);
    return (int)n;
}

static unsigned count_values(const struct work *work)
{
    return work->match.captures > 0 ? work->match.captures : 1;
}

static bool is_plain(struct bytes pattern)
{
    for (size_t i = 0; i < pattern.n; i++) {
        switch (pattern.p[i]) {
        case '^':
        case '$':
        case '*':
        case '+':
        case '?':
        case '.':
        case '(':
        case '[':
        case '%':
        case '-':
            return false;
        default:
            break;
        }
    }
    return true;
}

/* memmem takes a while to get going: what a few looks find needs none of it. */
static const char *find_text(struct bytes in, struct bytes text)
{
    if (text.n == 0) return in.p;
    for (int looks = 0; looks < 8 && in.n >= text.n; looks++) {
        const char *at = memchr(in.p, text.p[0], in.n - text.n + 1);
        if (!at || memcmp(at, text.p, text.n) == 0) return at;
        in.n -= (size_t)(at + 1 - in.p);
        in.p = at + 1;
    }
    return memmem(in.p, in.n, text.p, text.n);
}

/* [-0, +1|2] */
static int find_plain(lua_State *L, struct bytes subject, struct bytes text, size_t from)
{
    const char *at = find_text((struct bytes){subject.p + from, subject.n - from}, text);
    if ((subject.n + text.n) / PLAIN_BYTES_A_STEP > PATTERNS_STEPS_A_HOOK) call_hook(L);
    if (!at) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, at - subject.p + 1);
    lua_pushinteger(L, at - subject.p + (lua_Integer)text.n);
    return 2;
}

static int find(lua_State *L)
{
    struct bytes subject = check_bytes(L, 1);
    struct bytes pattern = check_bytes(L, 2);
    size_t from = check_init(L, 3, subject.n);
    struct work work;
    if (from <= subject.n && (lua_toboolean(L, 4) || is_plain(pattern)))
        return find_plain(L, subject, pattern, from);
    start(&work, L, subject, pattern, true);
    if (from > subject.n || !search(&work, from, PATTERN_MATCH_NOWHERE)) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, work.match.start - subject.p + 1);
    lua_pushinteger(L, work.match.end - subject.p);
    return 2 + push_captures(&work, work.match.captures);
}

static int match(lua_State *L)
{
    struct bytes subject = check_bytes(L, 1);
    struct bytes pattern = check_bytes(L, 2);
    size_t from = check_init(L, 3, subject.n);
    struct work work;
    start(&work, L, subject, pattern, true);
    if (from > subject.n || !search(&work, from, PATTERN_MATCH_NOWHERE)) {
        lua_pushnil(L);
        return 1;
    }
    return push_captures(&work, count_values(&work));
}

static void set_upvalue(lua_State *L, int upvalue, size_t offset)
{
    lua_pushinteger(L, (lua_Integer)offset);
    lua_replace(L, lua_upvalueindex(upvalue));
}

static int next_match(lua_State *L)
{
    struct bytes subject, pattern;
    struct work work;
    size_t from = (size_t)lua_tointeger(L, lua_upvalueindex(NEXT));
    size_t refused = (size_t)lua_tointeger(L, lua_upvalueindex(REFUSED));
    subject.p = lua_tolstring(L, lua_upvalueindex(SUBJECT), &subject.n);
    pattern.p = lua_tolstring(L, lua_upvalueindex(PATTERN), &pattern.n);
    if (from > subject.n) return 0;
    start(&work, L, subject, pattern, false);
    if (!search(&work, from, refused)) {
        set_upvalue(L, NEXT, subject.n + 1);
        return 0;
    }
    set_upvalue(L, NEXT, (size_t)(work.match.end - subject.p));
    set_upvalue(L, REFUSED, (size_t)(work.match.end - subject.p));
    return push_captures(&work, count_values(&work));
}

static int gmatch(lua_State *L)
{
    struct bytes subject = check_bytes(L, 1);
    check_bytes(L, 2);
    size_t from = check_init(L, 3, subject.n);
    lua_pushvalue(L, lua_upvalueindex(STOP));
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushinteger(L, (lua_Integer)(from > subject.n ? subject.n + 1 : from));
    lua_pushinteger(L, (lua_Integer)PATTERN_MATCH_NOWHERE);
    lua_pushcclosure(L, next_match, 5);
    return 1;
}

static void add(luaL_Buffer *out, const char *from, const char *to)
{
    if (from < to) luaL_addlstring(out, from, (size_t)(to - from));
}

/* Adds what the text of %0 to %9 stands for. [-0, +0, error] */
static void add_capture(const struct work *work, luaL_Buffer *out, char digit)
{
    const struct pattern_match *m = &work->match;
    if (digit == '0') {
        add(out, m->start, m->end);
        return;
    }
    struct pattern_match_capture capture = capture_at(work, (unsigned)(digit - '1'));
    if (capture.n != PATTERN_MATCH_POSITION) {
        luaL_addlstring(out, capture.start, capture.n);
        return;
    }
    push_capture(work, (unsigned)(digit - '1'));
    luaL_addvalue(out);
}

static void add_text(const struct work *work, luaL_Buffer *out, struct bytes text)
{
    const char *p = text.p;
    const char *end = p + text.n;
    for (const char *escape; (escape = memchr(p, '%', (size_t)(end - p)));) {
        add(out, p, escape);
        char what = escape[1]; /* 0 behind the end */
        if (what == '%')
            luaL_addchar(out, '%');
        else if (what >= '0' && what <= '9')
            add_capture(work, out, what);
        else
            luaL_error(work->L, "invalid use of '%%' in replacement string");
        p = escape + 2;
    }
    add(out, p, end);
}

/* Returns the text at 3, or {NULL, 0} for a function or table. */
static struct bytes check_replacement(lua_State *L)
{
    int type = lua_type(L, 3);
    if (type == LUA_TSTRING || type == LUA_TNUMBER) return check_bytes(L, 3);
    luaL_argexpected(L, type == LUA_TFUNCTION || type == LUA_TTABLE, 3, "string/function/table");
    return (struct bytes){NULL, 0};
}

enum { UNDER_WAY = 5 }; /* the stack index of gsub's userdata, behind its arguments */

/* A gsub under way. One that calls the script lies in a userdata, as its frame may yield. */
struct substitution {
    struct work work;
    struct bytes text; /* the replacement, or {NULL, 0} for a function or table at 3 */
    lua_Integer most, count;
    size_t done, refused;
    bool changed;
    luaL_Buffer out;
};

static int substituted(lua_State *L, int status, lua_KContext none);

/* Pushes what the function or table at 3 gives for the match. What runs of the script meanwhile may
 * yield: then `substituted` goes on with it. [-0, +1, error] */
static void push_value(struct substitution *s)
{
    lua_State *L = s->work.L;
    if (lua_isfunction(L, 3)) {
        lua_pushvalue(L, 3);
        int n = push_captures(&s->work, count_values(&s->work));
        lua_callk(L, n, 1, 0, substituted);
        return;
    }
    push_capture(&s->work, 0);
    lua_gettable(L, 3);
}

/* Adds the value on the top, or the match itself if that is false. [-1, +0, error] */
static void add_value(struct substitution *s)
{
    lua_State *L = s->work.L;
    const struct pattern_match *m = &s->work.match;
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        add(&s->out, m->start, m->end);
        return;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(&s->out);
    s->changed = true;
}

static void go_behind_match(struct substitution *s)
{
    const struct pattern_match *m = &s->work.match;
    s->done = s->refused = (size_t)(m->end - m->subject.p);
    if (m->anchored) s->most = s->count;
}

static int finish(struct substitution *s)
{
    lua_State *L = s->work.L;
    struct bytes subject = s->work.match.subject;
    if (s->changed) {
        add(&s->out, subject.p + s->done, subject.p + subject.n);
        luaL_pushresult(&s->out);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, s->count);
    return 2;
}

static int substitute(struct substitution *s)
{
    while (s->count < s->most && search(&s->work, s->done, s->refused)) {
        const struct pattern_match *m = &s->work.match;
        s->count++;
        add(&s->out, m->subject.p + s->done, m->start);
        if (s->text.p) {
            add_text(&s->work, &s->out, s->text);
            s->changed = true;
        } else {
            push_value(s);
            add_value(s);
        }
        go_behind_match(s);
    }
    return finish(s);
}

static int substituted(lua_State *L, int status, lua_KContext none)
{
    struct substitution *s = lua_touserdata(L, UNDER_WAY);
    (void)status;
    (void)none;
    add_value(s);
    go_behind_match(s);
    return substitute(s);
}

static int gsub(lua_State *L)
{
    struct bytes subject = check_bytes(L, 1);
    struct bytes pattern = check_bytes(L, 2);
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)subject.n + 1);
    struct bytes text = check_replacement(L);
    struct substitution here, *s = &here;
    lua_settop(L, UNDER_WAY - 1);
    if (!text.p) s = lua_newuserdatauv(L, sizeof *s, 0);
    s->text = text;
    s->most = most;
    s->count = 0;
    s->done = 0;
    s->refused = PATTERN_MATCH_NOWHERE;
    s->changed = false;
    start(&s->work, L, subject, pattern, true);
    luaL_buffinit(L, &s->out);
    return substitute(s);
}

void patterns_open(lua_State *L, const volatile int *stop)
{
    static const luaL_Reg functions[] = {
        {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
    lua_pushlightuserdata(L, (void *)stop);
    luaL_setfuncs(L, functions, 1);
}
