/* Values as text, without their addresses: tostring, string.format and what print writes. An
 * address tells where the host's memory lies, which is half of the way to writing there. */
#ifndef LUNASK_SCRIPT_STDLIB_TEXT_H
#define LUNASK_SCRIPT_STDLIB_TEXT_H

#include <lua.h>

/* Pushes the value at `at` as tostring gives it: in the words of its __tostring, or as Lua would,
 * but a table as "table", a function as "function" and so on. [-0, +1, error] */
void stdlib_text_push(lua_State *L, int at);

/* tostring(v); a __tostring may yield */
int stdlib_text_tostring(lua_State *L);

/* Puts our format in front of the stock one in the library `string` on the top: %s as tostring
 * gives it, and no %p. [-0, +0, memory error] */
void stdlib_text_open_format(lua_State *L);

#endif
