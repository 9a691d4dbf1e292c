/* The headers that repeat parameters of a tool, compared with its arguments (2026-07-28
 * transports/streamable-http, "Server Behavior for Custom Headers"; script/param_headers.h).
 *
 *   the argument is …     Mcp-Param-NAME must …
 *   a string              be it, plain or in base64
 *   an integer            be the same number, however it is written: 42.0 is 42
 *   a boolean             be true or false
 *   missing, or null      not be there: a proxy would act on what the tool never sees
 *   of another type       is not looked at: the schema of the tool refuses it */
#ifndef LUNASK_ERAS_MODERN_PARAMS_H
#define LUNASK_ERAS_MODERN_PARAMS_H

#include "call/exchange.h"

/* Returns 0, or -1 with the request refused (-32020, status 400). Fine for other methods than
 * tools/call, tools that are not there, and transports without headers. */
int modern_params_check(struct exchange *x);

#endif
