#include "script/registry.h"

#include "base/mem.h"
#include "script/registration.h"
#include "script/vm.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct generation {
    int holders;
    struct vm **vms;
    size_t vm_count;
    struct tool *tools;
    size_t tool_count;
};

/* host.lua is the configuration; folders hold modules and examples, not scripts of this host. */
static int is_script(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && entry->d_type != DT_DIR && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + n - 4, ".lua") == 0 && strcmp(entry->d_name, "host.lua") != 0;
}

/* Not alphasort, which goes by the locale: the order must be the same on every machine. */
static int by_file_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int by_tool_name(const void *a, const void *b)
{
    return bytes_compare(((const struct tool *)a)->name, ((const struct tool *)b)->name);
}

/* Adds the script's VM to the generation first: whatever happens, it is closed with it. */
static int load_script(struct generation *g, const struct registry_options *options,
                       const char *file, struct error *error)
{
    struct buf path = {0};
    struct vm_options vm_options = {
        .name = {file, strlen(file) - 4},
        .folder = bytes_of(options->folder),
        .memory = options->vm_memory,
        .cpu_us = options->vm_cpu_us,
        .log = options->log,
    };
    struct vm *vm = vm_new(&vm_options, error);
    if (!vm) return -1;
    g->vms[g->vm_count++] = vm;
    buf_printf(&path, "%s/%s", options->folder, file);
    int result = vm_run_file(vm, buf_text(&path), error);
    buf_free(&path);
    if (result != 0) return -1;
    lua_settop(vm->L, 0);
    if (!vm->definitions)
        log_line(options->log, LOG_WARNING, "%s registers nothing (no mcp.tool in it)", file);
    return 0;
}

/* The views point into the definitions, which live as long as their VM. */
static void collect_tools(struct generation *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->vm_count; i++)
        for (struct definition *d = g->vms[i]->definitions; d; d = d->next)
            n++;
    g->tools = mem_alloc(n * sizeof *g->tools);
    for (size_t i = 0; i < g->vm_count; i++) {
        for (struct definition *d = g->vms[i]->definitions; d; d = d->next) {
            g->tools[g->tool_count++] = (struct tool){
                .name = bytes_of(d->name),
                .json = bytes_of(d->json),
                .input = d->input,
                .vm = g->vms[i],
                .script = bytes_of(g->vms[i]->name),
                .handle = d->handle,
            };
        }
    }
    qsort(g->tools, n, sizeof *g->tools, by_tool_name);
}

/* The list is sorted: equal names are neighbours. Which of two scripts is named first must not
 * depend on the sort, which may put equal ones in either order. */
static int check_unique(const struct generation *g, struct error *error)
{
    for (size_t i = 1; i < g->tool_count; i++) {
        struct bytes one = g->tools[i - 1].script, other = g->tools[i].script;
        if (!bytes_equal(g->tools[i - 1].name, g->tools[i].name)) continue;
        bool in_order = bytes_compare(one, other) < 0;
        return error_set(error, "two tools are named \"%.*s\": one in %.*s.lua, one in %.*s.lua",
                         BYTES_ARG(g->tools[i].name), BYTES_ARG(in_order ? one : other),
                         BYTES_ARG(in_order ? other : one));
    }
    return 0;
}

static int load_all(struct generation *g, const struct registry_options *options,
                    struct dirent **entries, int n, struct error *error)
{
    g->vms = mem_alloc((size_t)n * sizeof(struct vm *));
    for (int i = 0; i < n; i++)
        if (load_script(g, options, entries[i]->d_name, error) != 0) return -1;
    collect_tools(g);
    return check_unique(g, error);
}

struct generation *registry_load(const struct registry_options *options, struct error *error)
{
    struct dirent **entries;
    int n = scandir(options->folder, &entries, is_script, by_file_name);
    if (n < 0) {
        error_set(error, "can't read the scripts folder %s: %s (choose another with --scripts)",
                  options->folder, strerror(errno));
        return NULL;
    }
    struct generation *g = mem_alloc(sizeof *g);
    g->holders = 1;
    int result = load_all(g, options, entries, n, error);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    if (result == 0) return g;
    registry_release(g);
    return NULL;
}

struct generation *registry_hold(struct generation *g)
{
    g->holders++;
    return g;
}

void registry_release(struct generation *g)
{
    if (!g || --g->holders > 0) return;
    for (size_t i = 0; i < g->vm_count; i++)
        vm_free(g->vms[i]);
    free(g->vms);
    free(g->tools);
    free(g);
}

const struct tool *registry_tool(const struct generation *g, struct bytes name)
{
    struct tool wanted = {.name = name};
    if (g->tool_count == 0) return NULL;
    return bsearch(&wanted, g->tools, g->tool_count, sizeof wanted, by_tool_name);
}

size_t registry_count(const struct generation *g)
{
    return g->tool_count;
}

const struct tool *registry_at(const struct generation *g, size_t i)
{
    return &g->tools[i];
}
