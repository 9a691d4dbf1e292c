#include "script/engine.h"

#include <lua.h>

const char *engine_version(void)
{
    return LUA_RELEASE;
}
