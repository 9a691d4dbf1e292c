/* How a script registers what it offers, while it loads. */
#ifndef LUNASK_SCRIPT_REGISTRATION_H
#define LUNASK_SCRIPT_REGISTRATION_H

#include "script/offer.h"

#include <lua.h>

/* host.register(kind, public, definition, arguments): `kind` is "tool", "prompt", "resource" or
 * "resource_template", `public` the object of the list, `definition` the script's own table;
 * `arguments`, the schema of a prompt's, may be nil. Adds to the offers of the VM. Returns true, or
 * nil and the reason. */
int registration_register(lua_State *L);

#endif
