/* Which globals a compiled chunk uses, read from what lua_dump writes: neither Lua's API nor a run
 * of the script tells of the lines that did not run.
 *
 * Known is the format of Lua 5.4 (LUAC_VERSION 0x54). Of a text in another one, or cut short,
 * nothing more is told: what is found is for warnings, and nothing depends on it. */
#ifndef LUNASK_SCRIPT_BYTECODE_H
#define LUNASK_SCRIPT_BYTECODE_H

#include "base/buf.h"

#include <lua.h>

/* Views live as long as the dump. */
struct bytecode_use {
    struct bytes name;   /* of the global */
    struct bytes member; /* what is read of it at once: "open" in io.open; else {NULL, 0} */
    int line;
    bool set; /* given a value, not read */
};

/* Adds the function on the top of the stack as lua_dump has it, with its lines. [-0, +0, -] */
void bytecode_dump(lua_State *L, struct buf *out);

/* Calls `use` for each use of a global in the chunk and the functions in it, in no order. */
void bytecode_uses(struct bytes dump, void (*use)(void *arg, const struct bytecode_use *use),
                   void *arg);

#endif
