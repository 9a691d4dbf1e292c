/* Lua values and JSON, both ways.
 *
 * | JSON    | Lua                                                              |
 * |---------|------------------------------------------------------------------|
 * | null    | mcp.null (a light userdata, the same in every script)            |
 * | number  | integer if it is one of 64 bits and written as one, else float;  |
 * |         | one beyond the doubles (1e400) is refused, never an infinity     |
 * | array   | table with the array metatable (mcp.array), elements 1 to n      |
 * | object  | table with string keys                                           |
 *
 * The way out is values_write.h. */
#ifndef LUNASK_SCRIPT_VALUES_H
#define LUNASK_SCRIPT_VALUES_H

#include "base/buf.h"
#include "base/error.h"
#include "wire/json.h"

#include <lua.h>

/* Makes the array metatable of a new state. [-0, +0, memory error] */
void values_open(lua_State *L);

/* Pushes `v`, whose numbers are within range (schema_range.h); NULL gives nil.
 * [-0, +1, memory error] Call it protected. */
void values_push(lua_State *L, const struct json *v);

/* Parses `text` and pushes its value. Returns 0, or -1 with nothing pushed and `error` set.
 * [-0, +1|0, memory error] */
int values_push_text(lua_State *L, struct bytes text, struct error *error);

/* Pushes the array metatable. [-0, +1, -] */
void values_push_array_metatable(lua_State *L);

/* Sets host.ordered, the primitive under mcp.ordered, in the table on the top.
 * [-0, +0, memory error] */
void values_set_ordered(lua_State *L);

/* Pushes the ranks of the table at `at`, by the names of its members, and returns true; or returns
 * false if mcp.ordered has given it none. [-0, +1|0, -] */
bool values_push_order(lua_State *L, int at);

/* The module `json`: encode, decode, null, array. [-0, +1, memory error] */
int values_open_json(lua_State *L);

#endif
