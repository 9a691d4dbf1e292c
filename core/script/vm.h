/* One script's Lua state: the library it may use, its limits, and the run in progress.
 *
 * Words. **run**: one handler running in a coroutine of the VM (run.h). **prelude**: the Lua half
 * of the API (core/prelude), loaded into every VM before the script. */
#ifndef LUNASK_SCRIPT_VM_H
#define LUNASK_SCRIPT_VM_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "script/limits.h"

#include <lua.h>

struct findings;
struct globals_chunk;
struct offer;
struct prelude_code;
struct run;

enum {
    VM_SOURCE_BYTES = 64 * 1024, /* of a script or a module */
    VM_ERROR_BYTES = 1024,
};

struct vm {
    lua_State *L; /* NULL: it could not be made anew */
    struct limits limits;
    size_t memory;     /* bytes of its heap */
    unsigned epoch;    /* how often it was made anew */
    size_t logged;     /* bytes that its load has put into the log */
    struct buf source; /* the script's text and chunk name, to make it anew from */
    char *chunk;
    struct log *log;
    char *name;          /* the script's: its file without .lua */
    char *folder;        /* the scripts folder, no slash at its end; modules are in its lib/ */
    struct run *running; /* whose Lua code is on the C stack now, or NULL */
    uint64_t random[4];  /* state of math.random while no run is in progress */
    struct buf scratch,
        scratch2;      /* C text under way to Lua: owned here, a raised error leaks nothing */
    struct arena tape; /* likewise, for JSON being read */
    lua_State *idle;   /* a coroutine whose run is over, for the next one; or NULL */
    int idle_anchor;   /* its registry reference */
    const struct findings *findings; /* where warnings of the load go; NULL: to the log */
    bool mistaken;                   /* a finding was that something could not be registered */
    struct prelude_code *prelude;    /* or NULL */
    struct globals_chunk *chunks;    /* of the load under way (globals.h) */
    struct offer *offers;            /* what the script registered so far (offer.h) */
};

struct vm_options {
    struct bytes name, folder;
    int64_t memory; /* bytes */
    int64_t cpu_us; /* of the load, and of a run from one question to the next */
    struct log *log;
    struct watchdog *watchdog;    /* of the thread that will use the VM */
    struct prelude_code *prelude; /* must outlive the VM; NULL: it compiles the prelude by itself */
};

/* Makes a VM with the library and the prelude in it. Returns owned, or NULL with `error` as
 * "x: reason", x being the script's name. */
struct vm *vm_new(const struct vm_options *options, struct error *error);
void vm_free(struct vm *vm);

/* Gives a VM up: nothing of its state is touched again, and the next run makes it anew. */
void vm_abandon(struct vm *vm);

/* Makes an abandoned VM anew, from the same text: its state, and with it every coroutine, is gone;
 * what it registered stays. The text runs on the calling thread, which is the loop's, so that
 * others wait for it, as long as `cpu_us` at most: that is for the rare VM which had to be
 * abandoned. Returns 0; or -1 with `error`: it stays dead and may be tried again. */
int vm_revive(struct vm *vm, struct error *error);

/* Returns the VM of any of its threads. */
struct vm *vm_of(lua_State *L);

/* Runs the file `path` (text only, VM_SOURCE_BYTES at most) and leaves its first result on the
 * stack. Returns 0; or -1 with `error` as "scripts/x.lua:12: reason". [-0, +1|0, -] */
int vm_run_file(struct vm *vm, const char *path, struct error *error);

/* Calls the C function `body(L)` with `argument` as a light userdata under pcall. Returns 0, or -1
 * with `error`. For host work that may raise. [-0, +0, -] */
int vm_protect(struct vm *vm, lua_CFunction body, void *argument, struct error *error);

/* Adds what a person can read of the error value on the top of `L` to `out`, VM_ERROR_BYTES at
 * most: strings as they are, tables made by mcp.fail by their text, others by their type. What a
 * script does not have (absent.h) is told with what to use instead. [-0, +0, -] */
void vm_error_text(lua_State *L, struct buf *out);

/* Loads `source` as text, named `chunk`, into `L`. Returns lua_load's status. [-0, +1, -] */
int vm_load_text(lua_State *L, struct bytes source, const char *chunk);

/* Reads a file of Lua text into `out`, without a byte order mark. Returns -1 with `error` if it
 * can't be read, is larger than VM_SOURCE_BYTES or is compiled. */
int vm_read_file(const char *path, struct buf *out, struct error *error);

/* Returns the last part of the folder's path: what the names of chunks begin with. Borrowed. */
const char *vm_folder_name(const struct vm *vm);

#endif
