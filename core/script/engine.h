/* The Lua that scripts run on. */
#ifndef LUNASK_SCRIPT_ENGINE_H
#define LUNASK_SCRIPT_ENGINE_H

/* "Lua 5.4.4", the release of the headers it was built with. */
const char *engine_version(void);

#endif
