#include "channel.h"

#include "base/mem.h"
#include "call/era.h"

#include <stdlib.h>
#include <string.h>

int unit_channel(lua_State *L);

#define TYPE "unit.channel"

static struct channel_record *record_of(struct exchange *x)
{
    return ((struct channel_exchange *)(void *)x)->record;
}

static struct bytes header(struct exchange *x, const char *name)
{
    struct channel_header *h = ((struct channel_exchange *)(void *)x)->headers;
    for (; h; h = h->next)
        if (bytes_equal_nocase(h->name, bytes_of(name))) return h->value;
    return (struct bytes){NULL, 0};
}

static void reply(struct exchange *x, const struct reply *reply)
{
    struct channel_record *r = record_of(x);
    if (r->replies++ || r->closed) r->misuse = "a reply after the end";
    if (r->opened) r->misuse = "a reply on an open stream";
    r->status = reply->status;
    r->retry_after_s = reply->retry_after_s;
    buf_add(&r->body, reply->body);
    buf_add(&r->session_id, reply->session_id);
}

static int open_stream(struct exchange *x)
{
    struct channel_record *r = record_of(x);
    if (r->opened || r->replies || r->closed) r->misuse = "a stream opened too late";
    if (!r->streams) return -1;
    r->opened++;
    r->status = 200;
    return 0;
}

static void event(struct exchange *x, struct bytes id, struct bytes message)
{
    struct channel_record *r = record_of(x);
    if (!r->opened || r->closed) r->misuse = "an event without an open stream";
    buf_add(&r->ids, id);
    buf_addc(&r->ids, '\n');
    if (message.n == 0) return;
    buf_add(&r->events, message);
    buf_addc(&r->events, '\n');
}

static void close_stream(struct exchange *x)
{
    struct channel_record *r = record_of(x);
    if (!r->opened || r->closed++) r->misuse = "a stream closed that is not open";
}

static const struct channel_ops RECORDING = {
    .header = header,
    .reply = reply,
    .open_stream = open_stream,
    .event = event,
    .close_stream = close_stream,
};

/* [-0, +0]; a copy that lives as long as the exchange, {NULL, 0} for nil */
static struct bytes copied_field(lua_State *L, int at, const char *name, struct arena *memory)
{
    struct bytes b = {NULL, 0};
    if (lua_getfield(L, at, name) == LUA_TSTRING) {
        b.p = lua_tolstring(L, -1, &b.n);
        b = arena_copy(memory, b);
    }
    lua_pop(L, 1);
    return b;
}

/* [-0, +0] */
static void read_headers(lua_State *L, int at, struct channel_exchange *e)
{
    e->x.has_headers = lua_getfield(L, at, "headers") != LUA_TBOOLEAN;
    if (lua_istable(L, -1)) {
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
            struct channel_header *h = arena_alloc(&e->memory, sizeof *h);
            struct bytes value;
            value.p = lua_tolstring(L, -1, &value.n);
            h->name = arena_copy(&e->memory, bytes_of(lua_tostring(L, -2)));
            h->value = arena_copy(&e->memory, value);
            h->next = e->headers;
            e->headers = h;
        }
    }
    lua_pop(L, 1);
}

struct channel_exchange *channel_push(lua_State *L, int at, struct channel_exchange **list)
{
    static const char *const verbs[] = {"POST", "GET", "DELETE", NULL};
    luaL_checktype(L, at, LUA_TTABLE);
    lua_getfield(L, at, "verb");
    enum exchange_verb verb = (enum exchange_verb)luaL_checkoption(L, -1, "POST", verbs);
    lua_pop(L, 1);
    struct channel_record *r = lua_newuserdatauv(L, sizeof *r, 0);
    *r = (struct channel_record){0};
    luaL_setmetatable(L, TYPE);
    struct channel_exchange *e = mem_alloc(sizeof *e);
    r->streams = lua_getfield(L, at, "streams") != LUA_TBOOLEAN || lua_toboolean(L, -1);
    lua_pop(L, 1);
    r->open = e;
    exchange_init(&e->x, &RECORDING);
    e->record = r;
    e->x.verb = verb;
    e->x.body = copied_field(L, at, "body", &e->memory);
    e->x.principal = copied_field(L, at, "principal", &e->memory);
    read_headers(L, at, e);
    e->next = *list;
    e->link = list;
    if (e->next) e->next->link = &e->next;
    *list = e;
    return e;
}

static void let_go(struct channel_exchange *e)
{
    *e->link = e->next;
    if (e->next) e->next->link = e->link;
    e->record->open = NULL;
    exchange_free(&e->x);
    arena_free(&e->memory);
    free(e);
}

void channel_sweep(struct channel_exchange **list)
{
    struct channel_exchange *next;
    for (struct channel_exchange *e = *list; e; e = next) {
        next = e->next;
        if (e->x.ended) let_go(e);
    }
}

void channel_leave(struct channel_exchange *e)
{
    exchange_gone(&e->x);
    let_go(e);
}

static struct channel_record *check_record(lua_State *L)
{
    return luaL_checkudata(L, 1, TYPE);
}

static struct exchange *check_exchange(lua_State *L)
{
    struct channel_record *r = check_record(L);
    luaL_argcheck(L, r->open, 1, "the exchange is freed");
    return &r->open->x;
}

static struct bytes opt_bytes(lua_State *L, int at)
{
    struct bytes b = {NULL, 0};
    if (!lua_isnoneornil(L, at)) b.p = luaL_checklstring(L, at, &b.n);
    return b;
}

/* [-0, +0]; sets the field `name` of the table on the top */
static void set_text(lua_State *L, const char *name, const struct buf *b)
{
    struct bytes text = buf_bytes(b);
    if (text.n == 0) return;
    lua_pushlstring(L, text.p, text.n);
    lua_setfield(L, -2, name);
}

static void set_number(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

static void set_flag(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

static void set_lines(lua_State *L, const char *name, const struct buf *lines)
{
    struct bytes rest = buf_bytes(lines), line;
    lua_Integer n = 0;
    lua_newtable(L);
    while (bytes_split(&rest, '\n', &line) && line.n) {
        lua_pushlstring(L, line.p, line.n);
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, name);
}

/* r:told() → { status, body, session_id, retry_after, events, ids, opened, closed, replies, open,
 * gone_told }; raises what was done against the legal order */
static int told(lua_State *L)
{
    const struct channel_record *r = check_record(L);
    if (r->misuse) return luaL_error(L, "the host made a mistake: %s", r->misuse);
    lua_newtable(L);
    set_text(L, "body", &r->body);
    set_text(L, "session_id", &r->session_id);
    set_lines(L, "events", &r->events);
    set_lines(L, "ids", &r->ids);
    if (r->status) set_number(L, "status", r->status);
    if (r->retry_after_s) set_number(L, "retry_after", r->retry_after_s);
    set_number(L, "replies", r->replies);
    set_number(L, "gone_told", r->gone_told);
    set_flag(L, "opened", r->opened > 0);
    set_flag(L, "closed", r->closed > 0);
    set_flag(L, "open", r->open && !r->open->x.ended);
    return 1;
}

static int leave(lua_State *L)
{
    check_exchange(L);
    channel_leave(check_record(L)->open);
    return 0;
}

static void note_gone(struct exchange *x)
{
    record_of(x)->gone_told++;
}

/* new{…} → an exchange that nobody handles, with an era that counts who is told of the client */
static int new_exchange(lua_State *L)
{
    static const struct era listening = {.text = "listening", .gone = note_gone};
    struct channel_exchange *nowhere = NULL;
    struct channel_exchange *e = channel_push(L, 1, &nowhere);
    e->next = NULL;
    e->link = &e->next;
    e->x.era = &listening;
    e->x.message.id = copied_field(L, 1, "id", &e->memory);
    return 1;
}

static int do_reply(lua_State *L)
{
    exchange_reply(check_exchange(L), &(struct reply){.status = (int)luaL_checkinteger(L, 2),
                                                      .body = opt_bytes(L, 3)});
    return 0;
}

/* x:error(code, message, data) with code "busy" or "invalid" */
static int do_error(lua_State *L)
{
    static const char *const names[] = {"busy", "invalid", NULL};
    static const enum rpc_code codes[] = {RPC_BUSY, RPC_INVALID_PARAMS};
    enum rpc_code code = codes[luaL_checkoption(L, 2, NULL, names)];
    exchange_error_data(check_exchange(L), code, luaL_checkstring(L, 3), opt_bytes(L, 4));
    return 0;
}

static int do_open_stream(lua_State *L)
{
    lua_pushboolean(L, exchange_open_stream(check_exchange(L)) == 0);
    return 1;
}

static int do_event(lua_State *L)
{
    exchange_event(check_exchange(L), opt_bytes(L, 2));
    return 0;
}

static int do_close_stream(lua_State *L)
{
    exchange_close_stream(check_exchange(L));
    return 0;
}

static int do_send(lua_State *L)
{
    exchange_send(check_exchange(L), (int)luaL_checkinteger(L, 2), opt_bytes(L, 3));
    return 0;
}

/* The client leaves, and the transport has not let go of the exchange yet. */
static int say_gone(lua_State *L)
{
    exchange_gone(check_exchange(L));
    return 0;
}

static int finish(lua_State *L)
{
    struct channel_record *r = check_record(L);
    if (r->open) channel_leave(r->open);
    buf_free(&r->body);
    buf_free(&r->session_id);
    buf_free(&r->events);
    buf_free(&r->ids);
    return 0;
}

int unit_channel(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_exchange}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"told", told},
                                       {"leave", leave},
                                       {"reply", do_reply},
                                       {"error", do_error},
                                       {"event", do_event},
                                       {"open_stream", do_open_stream},
                                       {"send", do_send},
                                       {"close_stream", do_close_stream},
                                       {"say_gone", say_gone},
                                       {"__gc", finish},
                                       {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
