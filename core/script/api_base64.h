/* The primitives of the prelude that deal with base64 (RFC 4648, padded), which is how MCP carries
 * bytes that are no text. */
#ifndef LUNASK_SCRIPT_API_BASE64_H
#define LUNASK_SCRIPT_API_BASE64_H

#include <lauxlib.h>

/* base64(bytes) → text; is_base64(text) → whether it is. */
extern const luaL_Reg API_BASE64[];

#endif
