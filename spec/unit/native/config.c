#include <lauxlib.h>

#include "host/config.h"

#include <stdlib.h>

int unit_config(lua_State *L);

/* [-0, +0] */
static const char *field(lua_State *L, const char *name)
{
    lua_getfield(L, 1, name);
    const char *text = lua_tostring(L, -1); /* stays in the table */
    lua_pop(L, 1);
    return text;
}

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_number(lua_State *L, const char *name, int64_t value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

static void set_texts(lua_State *L, const struct settings *s)
{
    lua_newtable(L);
    for (size_t i = 0; i < origin_list_count(s->allowed_origins); i++) {
        lua_pushstring(L, origin_list_at(s->allowed_origins, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "allowed_origins");
    if (!s->allowed_hosts) return;
    lua_newtable(L);
    for (lua_Integer i = 0; s->allowed_hosts[i]; i++) {
        lua_pushstring(L, s->allowed_hosts[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "allowed_hosts");
}

/* [-0, +1] */
static void push_settings(lua_State *L, const struct settings *s)
{
    lua_newtable(L);
    set_text(L, "name", s->name);
    set_text(L, "version", s->version);
    set_text(L, "instructions", s->instructions);
    set_text(L, "scripts", s->scripts);
    set_text(L, "listen_host", s->listen_host);
    set_text(L, "store", s->store);
    set_number(L, "listen_port", s->listen_port);
    set_number(L, "state_keys", (int64_t)s->keys.n);
    set_number(L, "body_limit", s->body_limit);
    set_number(L, "connections", s->connections);
    set_number(L, "calls", s->calls);
    set_number(L, "parked_calls", s->parked_calls);
    set_number(L, "sessions", s->sessions);
    set_number(L, "session_idle", s->session_idle);
    set_number(L, "answer_timeout", s->answer_timeout);
    set_number(L, "state_ttl", s->state_ttl);
    set_number(L, "task_ttl", s->task_ttl);
    set_number(L, "call_timeout", s->call_timeout);
    set_number(L, "rounds", s->rounds);
    set_number(L, "vm_memory", s->vm_memory);
    set_number(L, "vm_cpu", s->vm_cpu);
    set_number(L, "list_ttl", s->list_ttl);
    lua_pushboolean(L, s->allow_unauthenticated);
    lua_setfield(L, -2, "allow_unauthenticated");
    set_texts(L, s);
}

/* read{ scripts, config, listen, store, allowed_origins, piped } → the settings, or nil and why */
static int read(lua_State *L)
{
    struct settings s = {0};
    struct error error;
    struct config_flags flags = {field(L, "scripts"),         field(L, "config"),
                                 field(L, "listen"),          field(L, "store"),
                                 field(L, "allowed_origins"), field(L, "piped") != NULL};
    int result = config_read(&flags, &s, &error);
    if (result == 0)
        push_settings(L, &s);
    else
        lua_pushnil(L);
    if (result != 0) lua_pushstring(L, error.text);
    config_free(&s);
    return result == 0 ? 1 : 2;
}

int unit_config(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", read}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
