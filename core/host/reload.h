/* Reading the scripts again while the host runs.
 *
 * A candidate generation is loaded beside the live one, on a thread of the pool: others are served
 * meanwhile, whatever a script does at its top level. If all of it loads, it takes the live one's
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
void reload_free(struct reload *r); /* not while it is busy; NULL is fine */

/* Begins to load the scripts; when that is done, the loop swaps them in. If a load is under way
 * already, one more comes after it, as it may have read some files before they were changed. Logs
 * the difference in words, or each finding with its line of source; keeps the first mistake in
 * service->load_error until a load succeeds. Says so if the file of the settings is another than
 * before, as settings are read at the start only. */
void reload_begin(struct reload *r);

/* Drops the load under way, which ends with the script that it is at, and what was to come after
 * it. Once the service is stopping, none of it is swapped in. */
void reload_cut(struct reload *r);

/* True from reload_begin until the last load has ended. */
bool reload_busy(const struct reload *r);

#endif
