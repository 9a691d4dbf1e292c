/* Lua values written as JSON text; the other half of values.h.
 *
 * A table with the array metatable is an array; without it, one if its keys are 1 to n and n > 0,
 * an object if they are all strings; {} is an object. Members are written in the order that
 * mcp.ordered has given them, all others in that of their names, so that equal values give equal
 * text. Access is raw: no metamethod runs. */
#ifndef LUNASK_SCRIPT_VALUES_WRITE_H
#define LUNASK_SCRIPT_VALUES_WRITE_H

#include "base/buf.h"
#include "base/error.h"

#include <lua.h>

enum {
    VALUES_DEPTH = 64,                   /* tables inside one another */
    VALUES_MEMBERS = 10000,              /* of one object */
    VALUES_TEXT_BYTES = 4 * 1024 * 1024, /* of what is written */
};

/* Adds the value at `at` to `out` as JSON text. Returns 0; or -1 with `error` saying what can't be
 * JSON ("a function can't be JSON (at content[1].text)"); `out` may then hold a part. Never raises.
 * [-0, +0, -] */
int values_write_value(lua_State *L, int at, struct buf *out, struct error *error);

/* Adds the members of the object at `at` without the braces, and its `_meta` member, which must be
 * an object, apart to `meta`. Errors as above. [-0, +0, -] */
int values_write_members(lua_State *L, int at, struct buf *out, struct buf *meta,
                         struct error *error);

#endif
