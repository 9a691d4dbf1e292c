/* The prelude as compiled once for many VMs: loading it so takes a fraction of the time, and no VM
 * holds its debug information. Its frames have no line numbers in a traceback, then; those of the
 * scripts do.
 *
 * What is compiled comes from this process alone, so the checks that Lua does not make of compiled
 * code are not missed. */
#ifndef LUNASK_SCRIPT_PRELUDE_CODE_H
#define LUNASK_SCRIPT_PRELUDE_CODE_H

#include <lua.h>

struct prelude_code;
struct prelude_part;

struct prelude_code *prelude_code_new(void);
void prelude_code_free(struct prelude_code *code); /* NULL is fine */

/* Pushes the part as a function, or an error message. `code` may be NULL: then it is compiled from
 * its text, as `chunk`, with its lines. Returns lua_load's status. [-0, +1, memory error] */
int prelude_code_load(struct prelude_code *code, lua_State *L, const struct prelude_part *part,
                      const char *chunk);

#endif
