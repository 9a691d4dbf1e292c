/* What a script registered while it loaded. */
#ifndef LUNASK_SCRIPT_REGISTRATION_H
#define LUNASK_SCRIPT_REGISTRATION_H

#include "schema/schema.h"

#include <lua.h>

/* One mcp.tool, in the order of registration. */
struct definition {
    struct definition *next;
    char *name;
    char *json;           /* the Tool object of tools/list */
    struct schema *input; /* of its arguments */
    int handle;           /* registry reference to the table given to mcp.tool */
    char *file;           /* where mcp.tool was called, as Lua names it: "scripts/x.lua" */
    int line;             /* 0: not known */
};

/* host.register(public, definition): `public` is the Tool object, `definition` the script's table.
 * Returns true, or nil and the reason. */
int registration_tool(lua_State *L);

void registration_free(struct definition *first);

#endif
