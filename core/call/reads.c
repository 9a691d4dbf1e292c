#include "call/reads.h"

#include "base/mem.h"

#include <stdlib.h>

void reads_free(struct reads *r)
{
    free(r->rows);
    arena_free(&r->arena);
    *r = (struct reads){0};
}

static bool is_noted(const struct reads *r, const struct store_write *row)
{
    for (size_t i = r->n; i-- > 0;) {
        const struct store_write *noted = &r->rows[i];
        if (bytes_equal(noted->key, row->key) && bytes_equal(noted->collection, row->collection) &&
            bytes_equal(noted->script, row->script))
            return true;
    }
    return false;
}

/* Returns a place at the end, or NULL when there is room for no more. */
static struct store_write *grow(struct reads *r, size_t value_n)
{
    r->lost = r->n == READS_ROWS || r->bytes + value_n > READS_BYTES;
    if (r->lost) return NULL;
    if (r->n == r->cap) {
        r->cap = r->cap ? r->cap * 2 : 4;
        r->rows = mem_realloc(r->rows, r->cap * sizeof *r->rows);
    }
    r->bytes += value_n;
    return &r->rows[r->n++];
}

void reads_note(struct reads *r, struct bytes script, struct bytes collection, struct bytes key,
                struct bytes value)
{
    struct store_write row = {STORE_EXPECT, script, collection, key, value};
    if (r->lost || is_noted(r, &row)) return;
    struct store_write *place = grow(r, value.n);
    if (!place) return;
    row.script = arena_copy(&r->arena, script);
    row.collection = arena_copy(&r->arena, collection);
    row.key = arena_copy(&r->arena, key);
    if (value.p) row.value = arena_copy(&r->arena, value);
    *place = row;
}
