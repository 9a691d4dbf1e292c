#include "script/api_ask.h"

#include "script/api.h"
#include "script/api_ctx.h"
#include "script/api_form.h"
#include "script/grants.h"
#include "script/run_state.h"
#include "script/values_write.h"
#include "script/vm.h"

/* Returns the text of a field of the question on the top; the question keeps it. [-0, +0] */
static struct bytes text_field(lua_State *L, const char *name)
{
    struct bytes text = {NULL, 0};
    if (lua_getfield(L, -1, name) == LUA_TSTRING) text.p = lua_tolstring(L, -1, &text.n);
    lua_pop(L, 1);
    return text;
}

static bool flag_field(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    bool flag = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return flag;
}

/* Adds the params of the question on the top to `out`, and returns how many bytes. [-0, +0] */
static size_t write_params(lua_State *L, struct buf *out)
{
    struct error error;
    size_t before = out->n;
    if (lua_getfield(L, -1, "params") != LUA_TNIL && values_write_value(L, -1, out, &error) != 0)
        api_refuse(L, lua_pushfstring(L, "the question: %s", error.text));
    lua_pop(L, 1);
    return out->n - before;
}

/* Fills in the questions of the list `at`; their params are in the VM's scratch. */
static void read_questions(lua_State *L, int at, struct run_question *questions, size_t n)
{
    struct buf *text = &vm_of(L)->scratch;
    buf_clear(text);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, at, (lua_Integer)i + 1);
        questions[i] = (struct run_question){.key = text_field(L, "key"),
                                             .method = text_field(L, "method"),
                                             .capabilities = text_field(L, "capabilities"),
                                             .required = flag_field(L, "required")};
        questions[i].params.n = write_params(L, text);
        lua_pop(L, 1);
    }
    const char *p = text->p; /* now that it moves no more */
    for (size_t i = 0; i < n; i++) {
        if (questions[i].params.n == 0) continue; /* of none, there may be no buffer either */
        questions[i].params.p = p;
        p += questions[i].params.n;
    }
}

static void check_elicitations(lua_State *L, int at, const struct run_question *questions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool form = bytes_equal(questions[i].capabilities, BYTES("elicitation.form"));
        bool url = bytes_equal(questions[i].capabilities, BYTES("elicitation.url"));
        lua_rawgeti(L, at, (lua_Integer)i + 1);
        lua_getfield(L, -1, "what");
        if (form) api_form_check(L, luaL_checkstring(L, -1), questions[i].params);
        if (url) api_form_check_url(L, luaL_checkstring(L, -1), questions[i].params);
        lua_pop(L, 2);
    }
}

static int ask(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct run_question questions[RUN_QUESTIONS];
    struct error error;
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t n = lua_rawlen(L, 2);
    if (n == 0 || n > RUN_QUESTIONS)
        return api_refuse(
            L, lua_pushfstring(L, "ctx:ask: a round has 1 to %d questions", RUN_QUESTIONS));
    read_questions(L, 2, questions, n);
    api_ctx_check_wait(L);
    if (r->in_once)
        api_refuse(L, "ctx:once: its function can't ask; ask before or after, and keep what the "
                      "answer led to");
    check_elicitations(L, 2, questions, n);
    buf_clear(&r->incoming);
    enum run_answer answer = r->host->ask(r->call, questions, n, &r->incoming, &error);
    r->asking = answer == RUN_WAIT;
    return api_ctx_settle(L, r, answer, &error);
}

/* The grants are asked at each use, as for all that a script may not by itself. */
static struct run *check_callback(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct error error;
    const struct grant use = {.kind = GRANT_CALLBACK, .script = bytes_of(r->vm->name)};
    if (r->host->granted(r->call, &use, &error) != 0) api_refuse(L, error.text);
    return r;
}

static int callback(lua_State *L)
{
    struct run *r = check_callback(L);
    struct error error;
    buf_clear(&r->incoming);
    if (r->host->callback(r->call, &r->incoming, &error) != 0) return api_refuse(L, error.text);
    lua_pushlstring(L, r->incoming.p, r->incoming.n);
    return 1;
}

static int called_back(lua_State *L)
{
    struct run *r = check_callback(L);
    const struct run_read what = {.kind = RUN_CALLBACK};
    struct error error;
    api_ctx_check_wait(L);
    buf_clear(&r->incoming);
    enum run_answer answer = r->host->read(r->call, &what, &r->incoming, &error);
    return api_ctx_settle(L, r, answer, &error);
}

static int await(lua_State *L)
{
    struct run *r = check_callback(L);
    struct error error;
    api_ctx_check_wait(L);
    if (r->in_once) api_refuse(L, "ctx:once: its function can't wait for a callback");
    buf_clear(&r->incoming);
    enum run_answer answer = r->host->await(r->call, &r->incoming, &error);
    r->asking = answer == RUN_WAIT;
    return api_ctx_settle(L, r, answer, &error);
}

static int become_task(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct error error;
    api_ctx_check_wait(L);
    buf_clear(&r->incoming);
    return api_ctx_settle(L, r, r->host->become_task(r->call), &error);
}

static int complete(lua_State *L)
{
    struct run *r = api_ctx_run(L);
    struct bytes key = {NULL, 0};
    if (!lua_isnoneornil(L, 2)) key.p = luaL_checklstring(L, 2, &key.n);
    r->host->complete(r->call, key);
    return 0;
}

const luaL_Reg API_ASK[] = {
    {"ask", ask},     {"complete", complete},       {"callback", callback},
    {"await", await}, {"called_back", called_back}, {"become_task", become_task},
    {NULL, NULL},
};
