/* The primitives under the prelude: what the files of core/prelude get as `host`, and scripts never
 * see.
 */
#ifndef LUNASK_SCRIPT_API_H
#define LUNASK_SCRIPT_API_H

#include "base/buf.h"
#include "script/offer.h"
#include "script/run.h"

#include <lua.h>

/* Loads the prelude into a new state and sets the module `mcp`. [-0, +0, any error] */
void api_open(lua_State *L);

/* Pushes the prelude's function (definition, arguments) → result table, or a string: of a tool the
 * text that is its result, of others why they refuse. [-0, +1, -] */
void api_push_entry(lua_State *L, enum offer_kind kind, enum run_entry entry);

/* If the value on the top is an error made by the host or mcp.fail, adds its text to `out` and
 * returns true. [-0, +0, -] */
bool api_failure_text(lua_State *L, struct buf *out);

/* The same for the capability a client lacks; false if the error is not about one. [-0, +0, -] */
bool api_failure_capability(lua_State *L, struct buf *out);

/* Raises such an error; `capability` may be NULL. */
int api_fail(lua_State *L, const char *text, const char *capability);

/* Fills in source and line of the script's nearest call outside the prelude. Returns false where
 * the script has left its line by a tail call. [-0, +0, -] */
bool api_script_line(lua_State *L, lua_Debug *at);

/* Raises `text` with the line of the script in front, the nearest one outside the prelude. */
int api_refuse(lua_State *L, const char *text);

#endif
