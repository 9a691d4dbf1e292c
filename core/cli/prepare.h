/* What a host needs before it can serve, whatever it serves over: keys, store, scripts. */
#ifndef LUNASK_CLI_PREPARE_H
#define LUNASK_CLI_PREPARE_H

#include "call/settings.h"
#include "script/registry.h"
#include "store/store.h"

/* Makes the keys of a host whose store is in memory, as they have no file to be kept in. To be
 * called before there is a worker: a question then survives the crash of the worker that asked it,
 * though not the end of the host. The rows of such a store survive neither: the answer meets an
 * empty one. */
void prepare_keys(struct settings *settings);

/* Opens the store, by default that in the user's state folder, and reads the keys beside it, unless
 * there are keys; they are made if need be. Returns owned, or NULL with `error`. */
struct store *prepare_store(struct settings *settings, struct error *error);

/* Loads the scripts. Returns held, or NULL with `error`. */
struct generation *prepare_scripts(const struct settings *settings, struct log *log,
                                   struct error *error);

#endif
