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

struct schema *schema_compile(const struct json *root, int flags, struct buf *warnings,
                              struct error *error)
{
    return schema_compile_among(root, flags, NULL, 0, warnings, error);
}

struct schema *schema_compile_among(const struct json *root, int flags,
                                    const struct schema_known *known, size_t known_count,
                                    struct buf *warnings, struct error *error)
{
    if (!root) {
        error_set(error, "the schema itself: missing");
        return NULL;
    }
    struct schema *s = mem_alloc(sizeof *s);
    struct schema_compile c = {.arena = &s->arena, .warnings = warnings, .error = error};
    c.assert_format = flags & SCHEMA_ASSERT_FORMAT;
    c.known = known;
    c.known_count = known_count;
    s->root = schema_compile_root(&c, root);
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
