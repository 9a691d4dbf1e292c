#include "cli/prepare.h"

#include <string.h>

void prepare_keys(struct settings *settings)
{
    bool in_memory = settings->store && strcmp(settings->store, "memory:") == 0;
    if (in_memory && !settings->keys.n) keys_fresh(&settings->keys);
}

/* Kept beside the store, so that questions survive a restart. */
static int load_keys(struct settings *settings, struct error *error)
{
    struct buf path = {0};
    if (settings->keys.n) return 0;
    buf_printf(&path, "%s.keys", settings->store);
    int result = keys_load(buf_text(&path), &settings->keys, error);
    buf_free(&path);
    return result;
}

struct store *prepare_store(struct settings *settings, struct error *error)
{
    struct buf path = {0};
    if (!settings->store) {
        if (store_default_path(&path, error) != 0) return NULL;
        settings->store = buf_take(&path, NULL);
    }
    struct store *store = store_open(settings->store, false, error);
    if (store && load_keys(settings, error) == 0) return store;
    store_close(store);
    return NULL;
}

struct generation *prepare_scripts(const struct settings *settings, struct log *log,
                                   struct error *error)
{
    struct registry_options options = {
        .folder = settings->scripts,
        .vm_memory = settings->vm_memory,
        .vm_cpu_us = settings->vm_cpu * 1000,
        .log = log,
    };
    return registry_load(&options, error);
}
