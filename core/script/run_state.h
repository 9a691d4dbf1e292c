/* The insides of a run, shared by the files that make up the script API. Everyone else sees run.h.
 */
#ifndef LUNASK_SCRIPT_RUN_STATE_H
#define LUNASK_SCRIPT_RUN_STATE_H

#include "script/run.h"

#include <lua.h>

struct run {
    struct vm *vm;
    const struct run_host *host;
    void *call;
    lua_State *co;
    unsigned epoch;    /* of the VM that co lives in; another one: co is gone */
    int anchor;        /* registry reference that keeps co alive */
    const void *ctx;   /* identity of the ctx table; no other may act on this run */
    const char *trace; /* for lines of the log; "": none */
    int64_t started_ms;
    bool is_long;        /* of run_set_long */
    bool refused_memory; /* maybe for good: see release_thread */
    size_t logged;       /* bytes that it has put into the log */
    int socket;          /* of the client, for limits_start */
    int64_t cpu_left_us; /* until the next question: a read from the store buys no new time */
    uint64_t random[4];
    enum run_state state;
    bool waiting;                 /* a primitive has yielded: a bare yield is not one */
    int in_once;                  /* how many functions of ctx:once are running */
    bool asking;                  /* what it waits for is a person, not the store */
    struct buf incoming;          /* what the host answered at once */
    struct bytes answer;          /* of run_resume, while it runs */
    const char *raise;            /* error of run_resume, while it runs */
    const struct json *arguments; /* of run_start, while it runs */
    const struct offer *offer;
    enum run_entry entry;
    int64_t ttl_ms; /* that the result may be kept; -1: not said */
    bool is_public;
    bool is_error; /* nothing of it is to be kept */
    bool refused;  /* `failure` is the reason */
    bool stopped;  /* not ended by itself */
    struct buf fields, meta, failure, unsupported;
};

#endif
