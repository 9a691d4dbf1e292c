/* The primitive that puts questions to the client: the C under core/prelude/questions.lua. */
#ifndef LUNASK_SCRIPT_API_ASK_H
#define LUNASK_SCRIPT_API_ASK_H

#include <lauxlib.h>

/* ask(ctx, questions) → the client's result for the one question, an array of results for several.
 * A question is { what = "ctx:elicit", key = string|nil, method = …, capabilities =
 * "elicitation.form", params = table|nil, required = boolean|nil }; forms and URLs are checked
 * first. complete(ctx, key|nil); callback(ctx) → URL; called_back(ctx) → what a browser brought
 * there, or nil; await(ctx) → the same, when it has come. */
extern const luaL_Reg API_ASK[];

#endif
