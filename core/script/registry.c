#include "script/registry.h"

#include "base/mem.h"
#include "script/finding.h"
#include "script/prelude_code.h"
#include "script/vm.h"
#include "script/watchdog.h"
#include "wire/uri_template.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct generation {
    int holders;
    struct watchdog *watchdog;
    struct prelude_code *prelude;
    struct vm **vms;
    size_t vm_count;
    const struct offer **offers[OFFER_KINDS]; /* each kind sorted by key */
    size_t counts[OFFER_KINDS];
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

static const struct offer *offer_of(const void *element)
{
    return *(const struct offer *const *)element;
}

static int by_key(const void *a, const void *b)
{
    return bytes_compare(offer_of(a)->key, offer_of(b)->key);
}

static int by_key_and_script(const void *a, const void *b)
{
    int order = by_key(a, b);
    return order ? order : bytes_compare(offer_of(a)->script, offer_of(b)->script);
}

/* One load under way. */
struct load {
    struct generation *g;
    const struct registry_options *options;
    struct buf told; /* what options->findings got so far, a line each */
    size_t mistakes;
    struct error *error; /* the first mistake */
};

/* A module that several scripts require is wrong once only. */
static bool told_already(struct load *load, const struct finding *f)
{
    struct buf line = {0};
    buf_addc(&line, '\n');
    finding_write(f, true, &line);
    buf_addc(&line, '\n');
    bool told = load->told.n && memmem(load->told.p, load->told.n, line.p, line.n);
    if (!told) buf_add(&load->told, buf_bytes(&line));
    buf_free(&line);
    return told;
}

static void add_finding(void *arg, const struct finding *f)
{
    struct load *load = arg;
    const struct findings *findings = load->options->findings;
    if (!f->warning && load->mistakes++ == 0) {
        struct buf text = {0};
        finding_write(f, false, &text);
        error_set(load->error, "%s", buf_text(&text));
        buf_free(&text);
    }
    if (findings && !told_already(load, f)) findings->add(findings->arg, f);
    if (!findings && f->warning) finding_log(f, load->options->log);
}

/* Adds "scripts/", the beginning of a file's name in Lua's messages. */
static void add_folder_name(const struct registry_options *options, struct buf *out)
{
    struct bytes folder = bytes_of(options->folder);
    while (folder.n > 1 && folder.p[folder.n - 1] == '/')
        folder.n--;
    const char *slash = folder.n ? memrchr(folder.p, '/', folder.n) : NULL;
    size_t skipped = slash ? (size_t)(slash + 1 - folder.p) : 0;
    buf_add(out, (struct bytes){folder.p + skipped, folder.n - skipped});
    buf_addc(out, '/');
}

/* Adds what is wrong with the script `file`. A message may name no file of ours, or one whose name
 * Lua has shortened ("...ts/x.lua"): then it is about the script itself. */
static void add_about(struct load *load, bool warning, const char *file, struct bytes message)
{
    struct buf name = {0};
    struct finding f = finding_read(message);
    bool shortened = bytes_starts(f.file, BYTES("..."));
    add_folder_name(load->options, &name);
    if (!bytes_starts(f.file, bytes_of(load->options->folder)) &&
        !bytes_starts(f.file, buf_bytes(&name))) {
        if (!shortened) f = (struct finding){.text = message};
        buf_addz(&name, file);
        f.file = buf_bytes(&name);
    }
    f.warning = warning;
    add_finding(load, &f);
    buf_free(&name);
}

/* Adds the script's VM to the generation first: whatever happens, it is closed with it. */
static int run_script(struct load *load, const char *file, struct error *error)
{
    const struct registry_options *options = load->options;
    const struct findings findings = {add_finding, load};
    struct buf path = {0};
    struct vm_options vm_options = {
        .name = {file, strlen(file) - 4},
        .folder = bytes_of(options->folder),
        .memory = options->vm_memory,
        .cpu_us = options->vm_cpu_us,
        .log = options->log,
        .watchdog = load->g->watchdog,
        .prelude = load->g->prelude,
    };
    struct vm *vm = vm_new(&vm_options, error);
    if (!vm) return -1;
    load->g->vms[load->g->vm_count++] = vm;
    vm->findings = &findings;
    buf_printf(&path, "%s/%s", options->folder, file);
    int result = vm_run_file(vm, buf_text(&path), error);
    buf_free(&path);
    vm->findings = NULL;
    if (!vm->limits.dead) lua_settop(vm->L, 0);
    return result;
}

/* A VM that could not be made says "x: reason". */
static struct bytes without_name(struct bytes message, const char *file)
{
    size_t n = strlen(file) - 4;
    if (!bytes_starts(message, (struct bytes){file, n}) || message.n < n + 2) return message;
    if (message.p[n] != ':' || message.p[n + 1] != ' ') return message;
    return (struct bytes){message.p + n + 2, message.n - n - 2};
}

static void load_script(struct load *load, const char *file)
{
    struct error error;
    const struct generation *g = load->g;
    if (run_script(load, file, &error) != 0)
        add_about(load, false, file, without_name(bytes_of(error.text), file));
    else if (!g->vms[g->vm_count - 1]->offers && !g->vms[g->vm_count - 1]->mistaken)
        add_about(load, true, file,
                  BYTES("registers nothing (no mcp.tool, mcp.prompt or mcp.resource in it)"));
}

static void collect(struct generation *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->vm_count; i++)
        for (const struct offer *o = g->vms[i]->offers; o; o = o->next)
            n++;
    for (int kind = 0; kind < OFFER_KINDS; kind++)
        g->offers[kind] = mem_alloc(n * sizeof(struct offer *));
    for (size_t i = 0; i < g->vm_count; i++)
        for (const struct offer *o = g->vms[i]->offers; o; o = o->next)
            g->offers[o->kind][g->counts[o->kind]++] = o;
    for (int kind = 0; kind < OFFER_KINDS; kind++)
        qsort(g->offers[kind], g->counts[kind], sizeof(struct offer *), by_key_and_script);
}

static void add_second(struct load *load, const struct offer *first, const struct offer *second)
{
    struct buf text = {0};
    const char *key = offer_kind_key(second->kind);
    buf_printf(&text, "a %s %s \"%.*s\" already, in %.*s", offer_kind_text(second->kind),
               strcmp(key, "name") == 0 ? "is named" : "has the URI", BYTES_ARG(second->key),
               BYTES_ARG(first->file));
    if (first->line) buf_printf(&text, ":%d", first->line);
    struct finding f = {false, second->file, second->line, buf_bytes(&text)};
    add_finding(load, &f);
    buf_free(&text);
}

static void check_unique(struct load *load)
{
    for (int kind = 0; kind < OFFER_KINDS; kind++) {
        const struct offer **offers = load->g->offers[kind];
        for (size_t i = 1; i < load->g->counts[kind]; i++)
            if (by_key(&offers[i - 1], &offers[i]) == 0) add_second(load, offers[i - 1], offers[i]);
    }
}

/* It is nobody's mistake, so no finding. */
static bool is_cut(struct load *load)
{
    if (!load->options->cut || !atomic_load(load->options->cut)) return false;
    if (load->mistakes++ == 0) error_set(load->error, "the load was cut short");
    return true;
}

static void load_all(struct load *load, struct dirent **entries, int n)
{
    load->g->vms = mem_alloc((size_t)n * sizeof(struct vm *));
    for (int i = 0; i < n && (load->mistakes == 0 || load->options->findings); i++) {
        if (is_cut(load)) return;
        load_script(load, entries[i]->d_name);
    }
    collect(load->g);
    if (load->mistakes == 0 || load->options->findings) check_unique(load);
}

static void add_unreadable(struct load *load, int number)
{
    struct error reason;
    error_set(&reason, "can't read the scripts folder %s: %s (is it the folder of the scripts?)",
              load->options->folder, strerror(number));
    struct finding f = {.text = bytes_of(reason.text)};
    add_finding(load, &f);
}

struct generation *registry_load(const struct registry_options *options, struct error *error)
{
    struct dirent **entries = NULL;
    struct load load = {.g = mem_alloc(sizeof *load.g), .options = options, .error = error};
    load.g->holders = 1;
    load.g->prelude = prelude_code_new();
    load.g->watchdog = watchdog_new(error);
    if (!load.g->watchdog) {
        registry_release(load.g);
        return NULL;
    }
    int n = scandir(options->folder, &entries, is_script, by_file_name);
    if (n < 0)
        add_unreadable(&load, errno);
    else
        load_all(&load, entries, n);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    buf_free(&load.told);
    if (load.mistakes == 0) return load.g;
    registry_release(load.g);
    return NULL;
}

/* Names the watchdog of all VMs; NULL: none. */
static void set_watchdog(struct generation *g, struct watchdog *watchdog)
{
    g->watchdog = watchdog;
    for (size_t i = 0; i < g->vm_count; i++)
        g->vms[i]->limits.watchdog = watchdog;
}

void registry_leave(struct generation *g)
{
    watchdog_free(g->watchdog);
    set_watchdog(g, NULL);
}

int registry_enter(struct generation *g, struct error *error)
{
    set_watchdog(g, watchdog_new(error));
    return g->watchdog ? 0 : -1;
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
    watchdog_free(g->watchdog);
    prelude_code_free(g->prelude);
    free(g->vms);
    for (int kind = 0; kind < OFFER_KINDS; kind++)
        free(g->offers[kind]);
    free(g);
}

const struct offer *registry_find(const struct generation *g, enum offer_kind kind,
                                  struct bytes key)
{
    const struct offer wanted = {.key = key}, *at = &wanted;
    if (g->counts[kind] == 0) return NULL;
    const struct offer **found = bsearch(&at, g->offers[kind], g->counts[kind], sizeof at, by_key);
    return found ? *found : NULL;
}

size_t registry_after(const struct generation *g, enum offer_kind kind, struct bytes key)
{
    size_t low = 0, high = g->counts[kind];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bytes_compare(g->offers[kind][middle]->key, key) > 0)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct offer *registry_match(const struct generation *g, struct bytes uri,
                                   struct buf *variables)
{
    const struct offer *best = NULL;
    struct buf values = {0};
    for (size_t i = 0; i < g->counts[OFFER_TEMPLATE]; i++) {
        const struct offer *o = g->offers[OFFER_TEMPLATE][i];
        if (best && uri_template_literals(o->uris) <= uri_template_literals(best->uris)) continue;
        buf_clear(&values);
        if (uri_template_match(o->uris, uri, &values)) best = o;
    }
    buf_clear(&values);
    if (best && uri_template_match(best->uris, uri, &values))
        buf_add(variables, buf_bytes(&values));
    buf_free(&values);
    return best;
}

bool registry_completes(const struct generation *g)
{
    for (int kind = 0; kind < OFFER_KINDS; kind++)
        for (size_t i = 0; i < g->counts[kind]; i++)
            if (g->offers[kind][i]->completes) return true;
    return false;
}

size_t registry_script_count(const struct generation *g)
{
    return g->vm_count;
}

size_t registry_count(const struct generation *g, enum offer_kind kind)
{
    return g->counts[kind];
}

const struct offer *registry_at(const struct generation *g, enum offer_kind kind, size_t i)
{
    return g->offers[kind][i];
}
