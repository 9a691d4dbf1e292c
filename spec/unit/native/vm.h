/* What the natives of core/script share: a VM that Lua holds, and a log that it can read. */
#ifndef LUNASK_SPEC_VM_H
#define LUNASK_SPEC_VM_H

#include <lauxlib.h>

#include "script/vm.h"

/* A log kept in memory; all zero until opened, and never moved after. */
struct unit_log {
    struct log log;
    char *text;
    size_t n;
};

void unit_log_open(struct unit_log *l);
void unit_log_close(struct unit_log *l);

/* Pushes what the log has so far. [-0, +1] */
int unit_log_push(lua_State *L, struct unit_log *l);

/* Returns the VM of the userdata at `at`, or NULL if it is none. */
struct vm *unit_vm_test(lua_State *L, int at);

/* Returns the bytes of the string field `name` of the table at `at`, {NULL, 0} without one; they
 * live as long as the table keeps them. [-0, +0] */
struct bytes unit_vm_field(lua_State *L, int at, const char *name);

/* Returns the integer field `name`, or `otherwise`. [-0, +0] */
lua_Integer unit_vm_integer(lua_State *L, int at, const char *name, lua_Integer otherwise);

#endif
