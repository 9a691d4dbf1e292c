/* The primitives that check forms: the C under ctx:elicit. */
#ifndef LUNASK_SCRIPT_API_FORM_H
#define LUNASK_SCRIPT_API_FORM_H

#include "base/bytes.h"

#include <lauxlib.h>

/* check_content(requestedSchema, content) → nil, or what is wrong with the content. */
extern const luaL_Reg API_FORM[];

/* Raises what is wrong with the requestedSchema of an elicitation's params (JSON text); `what` is
 * what the question is called: "ctx:elicit". */
void api_form_check(lua_State *L, const char *what, struct bytes params);

/* The same of the url of a URL elicitation: http or https, and nothing that a client would take for
 * another address. */
void api_form_check_url(lua_State *L, const char *what, struct bytes params);

#endif
