/* The primitives that check forms: the C under ctx:elicit. */
#ifndef LUNASK_SCRIPT_API_FORM_H
#define LUNASK_SCRIPT_API_FORM_H

#include <lauxlib.h>

/* check_form(requestedSchema) raises what is wrong with it;
 * check_content(requestedSchema, content) → nil, or what is wrong with the content. */
extern const luaL_Reg API_FORM[];

#endif
