/* The primitive that puts questions to the client: the C under core/prelude/questions.lua. */
#ifndef LUNASK_SCRIPT_API_ASK_H
#define LUNASK_SCRIPT_API_ASK_H

#include <lauxlib.h>

/* ask(ctx, questions) → the client's result for the one question, an array of results for several.
 * A question is { key = string|nil, method = …, capabilities = "elicitation.form", params =
 * table|nil
 * }; a form is checked first. */
extern const luaL_Reg API_ASK[];

#endif
