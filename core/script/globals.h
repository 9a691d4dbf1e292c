/* What a script does with globals, in warnings for its author: that it sets one, which all its
 * calls share; that it reads one nobody sets, most likely a slip of the pen; that it uses a part of
 * Lua which scripts do not have. It is looked for in the compiled text, so it is found in handlers
 * that have not run, too.
 *
 * Lua 5.4 addresses a constant beyond the 255th in another way: in a function of so many, uses may
 * be missed. */
#ifndef LUNASK_SCRIPT_GLOBALS_H
#define LUNASK_SCRIPT_GLOBALS_H

#include "base/buf.h"

#include <lua.h>

struct vm;

/* A chunk of a load under way. */
struct globals_chunk {
    struct globals_chunk *next;
    char *file; /* "scripts/x.lua" */
    struct buf dump;
};

/* Keeps the chunk on the top of the stack, of file `name` ("@scripts/x.lua"), for globals_tell, if
 * the VM has somebody to tell findings to. [-0, +0, -] */
void globals_note(lua_State *L, const char *name);

/* Tells the VM's findings of what the noted chunks do, now that the globals are those of the loaded
 * script, and forgets the chunks. A VM that is dead is told nothing of. */
void globals_tell(struct vm *vm);

#endif
