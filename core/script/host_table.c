#include "script/host_table.h"

#include "script/values_write.h"
#include "script/vm.h"
#include "script/watchdog.h"

#include <string.h>

/* Not configurable: it is this file that says what is. */
enum { MEMORY_BYTES = 16 * 1024 * 1024, CPU_US = 1000 * 1000 };

int host_table_read(const char *path, struct buf *json, struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct vm_options options = {
        .name = BYTES("host"),
        .folder = slash ? (struct bytes){path, (size_t)(slash - path)} : BYTES("."),
        .memory = MEMORY_BYTES,
        .cpu_us = CPU_US,
    };
    struct error reason;
    options.watchdog = watchdog_new(error);
    if (!options.watchdog) return -1;
    struct vm *vm = vm_new(&options, error);
    if (!vm) {
        watchdog_free(options.watchdog);
        return -1;
    }
    int result = vm_run_file(vm, path, error);
    if (result == 0 && !lua_istable(vm->L, -1))
        result = error_set(error, "%s: must return a table of settings", path);
    if (result == 0 && values_write_value(vm->L, -1, json, &reason) != 0)
        result = error_set(error, "%s: %s", path, reason.text);
    vm_free(vm);
    watchdog_free(options.watchdog);
    return result;
}
