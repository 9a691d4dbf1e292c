/* What Lua programmers know and scripts do not have (stdlib.c says why), and what to use instead.
 */
#ifndef LUNASK_SCRIPT_ABSENT_H
#define LUNASK_SCRIPT_ABSENT_H

#include "base/buf.h"

/* Returns the advice for "io", "os.execute", …, or NULL if it is not one of these. Of a library
 * that is absent as a whole, every member is. */
const char *absent_advice(struct bytes name);

/* Adds "NAME is not available in scripts: ADVICE"; "NAME is no global: …" of ctx and mcp. */
void absent_write(struct bytes name, const char *advice, struct buf *out);

/* If `message` is Lua's about a nil of that name ("attempt to index a nil value (global 'io')",
 * "… call a nil value (field 'execute')"), adds ": io is not available in scripts: …". `line` is
 * the source line it is about, which tells os.execute from any other field. */
void absent_explain(struct bytes message, struct bytes line, struct buf *out);

#endif
