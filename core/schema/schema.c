#include "schema/schema.h"

#include "base/mem.h"
#include "schema/schema_compile.h"
#include "schema/schema_pattern.h"
#include "schema/schema_run.h"

#include <stdlib.h>

struct schema {
    struct arena arena;                      /* text, tape, nodes and checks */
    const struct schema_node *root;          /* NULL only while it is being compiled */
    struct schema_compile_pattern *patterns; /* PCRE2 has memory of its own for these */
};

/* Parses the text of `root` again into the schema's own arena, so that nothing points outside. */
static const struct json *own_copy(struct arena *arena, const struct json *root,
                                   struct error *error)
{
    struct json_limits limits = {JSON_LIMITS.depth, root->span};
    struct json_error why;
    const struct json *copy = json_parse(arena, arena_copy(arena, root->raw), &limits, &why);
    if (!copy) error_set(error, "the schema itself: %s", why.reason);
    return copy;
}

struct schema *schema_compile(const struct json *root, int flags, struct buf *warnings,
                              struct error *error)
{
    if (!root) {
        error_set(error, "the schema itself: missing");
        return NULL;
    }
    struct schema *s = mem_alloc(sizeof *s);
    struct schema_compile c = {.arena = &s->arena, .warnings = warnings, .error = error};
    c.assert_format = flags & SCHEMA_ASSERT_FORMAT;
    c.root = own_copy(&s->arena, root, error);
    if (c.root) s->root = schema_compile_root(&c);
    s->patterns = c.patterns;
    if (s->root) return s;
    schema_free(s);
    return NULL;
}

void schema_free(struct schema *s)
{
    if (!s) return;
    for (struct schema_compile_pattern *p = s->patterns; p; p = p->next)
        schema_pattern_free(p->pattern);
    arena_free(&s->arena);
    free(s);
}

bool schema_valid(const struct schema *s, const struct json *value, const char *name,
                  struct buf *reasons)
{
    struct schema_run run = schema_run_begin(name, reasons);
    return schema_run_node(&run, s->root, value, NULL);
}
