/* Reading the scripts again while the host runs.
 *
 * A candidate generation is loaded beside the live one. If all of it loads, it takes the live one's
 * place at once; otherwise nothing changes. Calls that run or wait hold the generation they began
 * in, which is closed with the last of them. */
#ifndef LUNASK_HOST_RELOAD_H
#define LUNASK_HOST_RELOAD_H

#include "call/service.h"

struct reload;

enum { RELOAD_FINDINGS = 10 }; /* logged of one load, with one more line that counts the others */

/* Borrows the service, whose generation is what the settings' folder had, and notes what the
 * settings' file has in it. */
struct reload *reload_new(struct service *service);
void reload_free(struct reload *r);

/* Loads the scripts on the calling thread and swaps them in. Logs the difference in words, or each
 * finding with its line of source; keeps the first mistake in service->load_error until a load
 * succeeds. Says so if the file of the settings is another than before, as settings are read at the
 * start only. Returns 0, or -1 if the scripts are the same as before. */
int reload_run(struct reload *r);

#endif
