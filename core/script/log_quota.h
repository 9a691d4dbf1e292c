/* How much one call, or the load of a script, may put into the host's log: a script in a loop must
 * not fill the disk, nor hide what other scripts say. */
#ifndef LUNASK_SCRIPT_LOG_QUOTA_H
#define LUNASK_SCRIPT_LOG_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

struct vm;

enum { LOG_QUOTA_BYTES = 64 * 1024 };

/* Counts a line of `n` bytes of what runs in the VM now. Returns whether it may be written; the
 * first that may not leaves a line that says so. Call it shielded: it may write to the log. */
bool log_quota_take(struct vm *vm, size_t n);

#endif
