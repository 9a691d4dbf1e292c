/* The primitive of the prelude that looks into URI templates. */
#ifndef LUNASK_SCRIPT_API_URI_H
#define LUNASK_SCRIPT_API_URI_H

#include <lauxlib.h>

/* template_variables(text) → { name = true, … }; or nil and what is wrong with the template. */
extern const luaL_Reg API_URI[];

#endif
