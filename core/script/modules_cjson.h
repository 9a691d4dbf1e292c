/* The module `cjson`: an instance of lua-cjson of the VM's own, without its setters.
 *
 * It is C code that was not written for this: it keeps its buffers outside the VM's heap, loses
 * them when Lua raises for want of memory, and knows no deadline. So what goes through it is
 * bounded before: MODULES_CJSON_BYTES of text, of one call, either way, and only while the heap has
 * room for what comes of it. Scripts that work with more have `json`. */
#ifndef LUNASK_SCRIPT_MODULES_CJSON_H
#define LUNASK_SCRIPT_MODULES_CJSON_H

#include <lua.h>

enum { MODULES_CJSON_BYTES = 1024 * 1024 };

/* Pushes a new instance; raises if the library is not installed. [-0, +1, error] */
void modules_cjson_push(lua_State *L);

#endif
