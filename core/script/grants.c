#include "script/grants.h"

#include "base/arena.h"
#include "base/mem.h"
#include "script/grants_http.h"
#include "wire/json_write.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct grants {
    struct grant *all;
    size_t n, cap;
    struct arena arena; /* what they point to */
};

static const char *const KINDS[] = {[GRANT_CALLBACK] = "callback",
                                    [GRANT_ENV] = "env",
                                    [GRANT_HTTP] = "http",
                                    [GRANT_READ] = "read",
                                    [GRANT_STORE] = "store"};

struct grants *grants_new(void)
{
    return mem_alloc(sizeof(struct grants));
}

void grants_free(struct grants *g)
{
    if (!g) return;
    free(g->all);
    arena_free(&g->arena);
    free(g);
}

void grants_add(struct grants *g, const struct grant *grant)
{
    if (g->n == g->cap) {
        g->cap = g->cap ? g->cap * 2 : 8;
        g->all = mem_realloc(g->all, g->cap * sizeof *g->all);
    }
    g->all[g->n++] = (struct grant){
        .kind = grant->kind,
        .script = arena_copy(&g->arena, grant->script),
        .owner = arena_copy(&g->arena, grant->owner),
        .name = arena_copy(&g->arena, grant->name),
        .write = grant->write,
    };
}

size_t grants_count(const struct grants *g)
{
    return g ? g->n : 0;
}

const struct grant *grants_at(const struct grants *g, size_t i)
{
    return &g->all[i];
}

const char *grants_kind_name(enum grant_kind kind)
{
    return KINDS[kind];
}

/* Whether the path is inside the folder; that it stays there is for whoever opens it. */
static bool is_inside(struct bytes path, struct bytes folder)
{
    return path.n > folder.n + 1 && bytes_starts(path, folder) && path.p[folder.n] == '/';
}

static bool covers(const struct grant *grant, const struct grant *use)
{
    if (grant->kind != use->kind || !bytes_equal(grant->script, use->script)) return false;
    switch (use->kind) {
    case GRANT_CALLBACK:
        return true;
    case GRANT_ENV:
        return bytes_equal(grant->name, use->name);
    case GRANT_HTTP:
        return grants_http_covers(grant->name, use->name);
    case GRANT_READ:
        return is_inside(use->name, grant->name);
    case GRANT_STORE:
        return bytes_equal(grant->owner, use->owner) && bytes_equal(grant->name, use->name) &&
               (grant->write || !use->write);
    }
    return false;
}

/* Adds a name as the key of a Lua table. */
static void add_key(struct buf *out, struct bytes name)
{
    bool plain = name.n > 0 && !isdigit((unsigned char)name.p[0]);
    for (size_t i = 0; i < name.n; i++)
        if (!isalnum((unsigned char)name.p[i]) && name.p[i] != '_') plain = false;
    if (plain) {
        buf_add(out, name);
        return;
    }
    buf_addc(out, '[');
    json_write_string(out, name);
    buf_addc(out, ']');
}

/* Adds what stands inside the braces of the kind. */
static void add_value(struct buf *out, const struct grant *use)
{
    struct bytes name = use->name;
    const char *slash = name.n ? memrchr(name.p, '/', name.n) : NULL;
    if (use->kind == GRANT_READ && slash) name.n = (size_t)(slash - name.p);
    if (use->kind == GRANT_STORE) {
        add_key(out, use->owner);
        buf_addz(out, " = { ");
    }
    if (use->write) {
        add_key(out, name);
        buf_addz(out, " = \"write\"");
    } else {
        json_write_string(out, name);
    }
    if (use->kind == GRANT_STORE) buf_addz(out, " }");
}

/* Adds the line that would allow the use. */
static void add_remedy(struct buf *out, const struct grant *use)
{
    if (use->kind == GRANT_READ && !memchr(use->name.p, '/', use->name.n)) {
        buf_addz(out, "only files in folders of the scripts folder can be granted, such as "
                      "data/notes.txt");
        return;
    }
    buf_addz(out, "add to host.lua: grants = { ");
    add_key(out, use->script);
    if (use->kind == GRANT_CALLBACK) {
        buf_addz(out, " = { callback = true } }");
        return;
    }
    buf_printf(out, " = { %s = { ", KINDS[use->kind]);
    add_value(out, use);
    buf_addz(out, " } } }");
}

static void add_reason(struct buf *out, const struct grant *use)
{
    buf_printf(out, "%.*s may not ", BYTES_ARG(use->script));
    switch (use->kind) {
    case GRANT_CALLBACK:
        buf_addz(out, "have a browser call back");
        break;
    case GRANT_ENV:
        buf_printf(out, "read the environment variable %.*s", BYTES_ARG(use->name));
        break;
    case GRANT_HTTP:
        buf_printf(out, "fetch from %.*s", BYTES_ARG(use->name));
        break;
    case GRANT_READ:
        buf_printf(out, "read the file %.*s", BYTES_ARG(use->name));
        break;
    case GRANT_STORE:
        buf_printf(out, "%s the collection %.*s of %.*s", use->write ? "write to" : "read",
                   BYTES_ARG(use->name), BYTES_ARG(use->owner));
        break;
    }
    buf_addz(out, "; ");
}

const struct grant *grants_find(const struct grants *g, const struct grant *use,
                                struct error *error)
{
    for (size_t i = 0; i < grants_count(g); i++)
        if (covers(&g->all[i], use)) return &g->all[i];
    struct buf text = {0};
    add_reason(&text, use);
    add_remedy(&text, use);
    error_set(error, "%s", buf_text(&text));
    buf_free(&text);
    return NULL;
}

void grants_describe(const struct grant *grant, struct buf *out)
{
    buf_addz(out, KINDS[grant->kind]);
    if (grant->kind == GRANT_CALLBACK) return;
    buf_addc(out, ' ');
    if (grant->kind == GRANT_STORE) {
        buf_add(out, grant->owner);
        buf_addc(out, '/');
    }
    buf_add(out, grant->name);
    if (grant->kind == GRANT_STORE) buf_addz(out, grant->write ? " (write)" : " (read)");
}
