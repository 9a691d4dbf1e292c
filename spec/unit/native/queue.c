/* A queue whose jobs are written in C, since Lua cannot run on its thread. A wake adds one to an
 * eventfd, as a loop would be woken; a gate is a job that holds the thread until it is opened. */
#include <lauxlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "store/queue.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int unit_queue(lua_State *L);

struct bench {
    struct store_queue *queue;
    int woken, gate; /* eventfds */
    pthread_t loop;
    struct buf log; /* a line a `done`, in order */
};

struct job {
    struct store_job job;
    struct bench *bench;
    char *key;
    int follow; /* how many more to submit from within `done` */
    bool gate;
    bool claims;    /* puts the row only if it is not there */
    bool elsewhere; /* ran on another thread than the loop's */
    int rc;
};

static void wake(void *arg)
{
    const struct bench *b = arg;
    eventfd_write(b->woken, 1);
}

/* True once `fd` counts more than nothing, which is then added to *count. */
static bool wait_for(int fd, uint64_t *count, int64_t deadline)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t left = deadline - clock_mono_ms();
    uint64_t n = 0;
    if (poll(&p, 1, left > 0 ? (int)left : 0) != 1 || eventfd_read(fd, &n)) return false;
    *count += n;
    return true;
}

static void run_job(struct store_job *base, struct store *s)
{
    struct job *j = (struct job *)base;
    struct store_write writes[2] = {{.kind = STORE_PUT,
                                     .script = BYTES("s"),
                                     .collection = BYTES("c"),
                                     .key = bytes_of(j->key),
                                     .value = BYTES("1")}};
    writes[1] = writes[0];
    writes[1].kind = STORE_EXPECT;
    writes[1].value = (struct bytes){NULL, 0};
    uint64_t opened = 0;
    if (j->gate) wait_for(j->bench->gate, &opened, clock_mono_ms() + 5000);
    j->elsewhere = !pthread_equal(pthread_self(), j->bench->loop);
    j->rc = store_commit(s, writes, j->claims ? 2 : 1, NULL);
}

static void submit(struct bench *b, const char *key, int follow, bool gate);
static void submit_commit(struct bench *b, const char *key, int follow);

static void done_job(struct store_job *base)
{
    struct job *j = (struct job *)base;
    struct bench *b = j->bench;
    buf_printf(&b->log, "%s %s%s%s\n", j->key,
               j->rc < 0 ? "failed"
               : j->rc   ? "changed"
                         : "put",
               j->elsewhere ? " elsewhere" : "",
               pthread_equal(pthread_self(), b->loop) ? "" : ", done elsewhere");
    if (j->follow > 0 && j->job.commits) submit_commit(b, j->key, j->follow - 1);
    if (j->follow > 0 && !j->job.commits) submit(b, j->key, j->follow - 1, false);
    free(j->key);
    free(j);
}

static void submit(struct bench *b, const char *key, int follow, bool gate)
{
    struct job *j = mem_alloc(sizeof *j);
    j->job = (struct store_job){.run = run_job, .done = done_job};
    j->bench = b;
    j->key = mem_copy(bytes_of(key));
    j->follow = follow;
    j->gate = gate;
    store_queue_submit(b->queue, &j->job);
}

/* A job that may be put together with others. */
static void submit_commit(struct bench *b, const char *key, int follow)
{
    struct job *j = mem_alloc(sizeof *j);
    *j = (struct job){.job = {.run = run_job, .done = done_job, .commits = true},
                      .bench = b,
                      .key = mem_copy(bytes_of(key)),
                      .follow = follow,
                      .claims = key[0] == '='};
    store_queue_submit(b->queue, &j->job);
}

static struct bench *check_bench(lua_State *L)
{
    struct bench *b = luaL_checkudata(L, 1, "queue");
    luaL_argcheck(L, b->queue, 1, "the queue is freed");
    return b;
}

/* new(where) → queue over the store that `where` names */
static int new_queue(lua_State *L)
{
    struct error error;
    const char *where = luaL_checkstring(L, 1);
    struct bench *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (struct bench){.loop = pthread_self(), .woken = -1, .gate = -1};
    luaL_setmetatable(L, "queue");
    struct store *s = store_open(where, false, &error);
    if (!s) return luaL_error(L, "%s", error.text);
    b->woken = eventfd(0, EFD_CLOEXEC);
    b->gate = eventfd(0, EFD_CLOEXEC);
    b->queue = store_queue_new(s, wake, b);
    return 1;
}

/* q:submit(key, follow): a job that puts the row, then `follow` more, each from `done` */
static int submit_put(lua_State *L)
{
    submit(check_bench(L), luaL_checkstring(L, 2), (int)luaL_optinteger(L, 3, 0), false);
    return 0;
}

/* q:commit(key, follow): the same as a commit; a key that begins with "=" must be new */
static int commit(lua_State *L)
{
    submit_commit(check_bench(L), luaL_checkstring(L, 2), (int)luaL_optinteger(L, 3, 0));
    return 0;
}

static int submit_gate(lua_State *L)
{
    submit(check_bench(L), "gate", 0, true);
    return 0;
}

static int open_gate(lua_State *L)
{
    eventfd_write(check_bench(L)->gate, 1);
    return 0;
}

/* q:wakes(n) → the number of wakes, as soon as it is n, or after 5 s */
static int wakes(lua_State *L)
{
    const struct bench *b = check_bench(L);
    uint64_t count = 0, wanted = (uint64_t)luaL_checkinteger(L, 2);
    int64_t deadline = clock_mono_ms() + (wanted ? 5000 : 0);
    while (wait_for(b->woken, &count, deadline) && count < wanted)
        continue;
    lua_pushinteger(L, (lua_Integer)count);
    return 1;
}

static int push_log(lua_State *L, struct bench *b)
{
    lua_pushlstring(L, b->log.p, b->log.n);
    buf_clear(&b->log);
    return 1;
}

/* q:reap() → what the `done`s called by it wrote, a line each */
static int reap(lua_State *L)
{
    struct bench *b = check_bench(L);
    store_queue_reap(b->queue);
    return push_log(L, b);
}

/* q:free() → likewise */
static int free_queue(lua_State *L)
{
    struct bench *b = luaL_checkudata(L, 1, "queue");
    store_queue_free(b->queue);
    b->queue = NULL;
    push_log(L, b);
    buf_free(&b->log);
    if (b->woken >= 0) close(b->woken);
    if (b->gate >= 0) close(b->gate);
    b->woken = b->gate = -1;
    return 1;
}

static int is_inline(lua_State *L)
{
    lua_pushboolean(L, store_queue_inline(check_bench(L)->queue));
    return 1;
}

/* q:count() → rows put so far; with an inline queue only */
static int count(lua_State *L)
{
    int64_t n = 0;
    struct store *s = store_queue_store(check_bench(L)->queue);
    store_count(s, BYTES("s"), BYTES("c"), &n, NULL);
    lua_pushinteger(L, n);
    return 1;
}

int unit_queue(lua_State *L)
{
    static const luaL_Reg functions[] = {{"new", new_queue}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"submit", submit_put},
                                       {"commit", commit},
                                       {"submit_gate", submit_gate},
                                       {"open_gate", open_gate},
                                       {"wakes", wakes},
                                       {"reap", reap},
                                       {"free", free_queue},
                                       {"is_inline", is_inline},
                                       {"count", count},
                                       {"__gc", free_queue},
                                       {NULL, NULL}};
    luaL_newmetatable(L, "queue");
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
