#include "script/log_quota.h"

#include "script/run_state.h"
#include "script/vm.h"

enum { LINE_BYTES = 64, MOST_BYTES = 4096 }; /* what each line has beside; where the log cuts it */

bool log_quota_take(struct vm *vm, size_t n)
{
    size_t *logged = vm->running ? &vm->running->logged : &vm->logged;
    if (*logged > LOG_QUOTA_BYTES) return false;
    *logged += LINE_BYTES + (n < MOST_BYTES ? n : MOST_BYTES);
    if (*logged <= LOG_QUOTA_BYTES) return true;
    if (vm->running) vm->running->host->limited(vm->running->call, RUN_LOG);
    log_line(vm->log, LOG_WARNING,
             "%s: logs more than %d KiB in one go; the rest of it is left out", vm->name,
             LOG_QUOTA_BYTES / 1024);
    return false;
}
