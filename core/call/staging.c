#include "call/staging.h"

#include "base/mem.h"
#include "wire/json_write.h"

#include <stdlib.h>

void staging_free(struct staging *s)
{
    free(s->writes);
    arena_free(&s->arena);
    *s = (struct staging){0};
}

static int check_bounds(struct bytes collection, struct bytes key, struct bytes value,
                        struct error *error)
{
    if (collection.n < 1 || collection.n > STORE_NAME_BYTES)
        return error_set(error, "a collection's name has 1 to %d bytes", STORE_NAME_BYTES);
    if (key.n < 1 || key.n > STORE_KEY_BYTES)
        return error_set(error, "a key has 1 to %d bytes", STORE_KEY_BYTES);
    if (value.n > STORE_VALUE_BYTES)
        return error_set(error, "a stored value has at most %d KiB as JSON",
                         STORE_VALUE_BYTES / 1024);
    return 0;
}

int staging_add(struct staging *s, enum store_write_kind kind, struct bytes collection,
                struct bytes key, struct bytes value, struct error *error)
{
    if (check_bounds(collection, key, value, error) != 0) return -1;
    if (s->n == STAGING_WRITES)
        return error_set(error, "a call may write at most %d rows", STAGING_WRITES);
    if (s->n == s->cap) {
        s->cap = s->cap ? s->cap * 2 : 4;
        s->writes = mem_realloc(s->writes, s->cap * sizeof *s->writes);
    }
    s->writes[s->n++] = (struct store_write){
        .kind = kind,
        .script = s->script,
        .collection = arena_copy(&s->arena, collection),
        .key = arena_copy(&s->arena, key),
        .value = arena_copy(&s->arena, value),
    };
    return 0;
}

/* Returns the last write to the row, or NULL. */
static const struct store_write *find(const struct staging *s, struct bytes collection,
                                      struct bytes key)
{
    for (size_t i = s->n; i-- > 0;)
        if (bytes_equal(s->writes[i].key, key) && bytes_equal(s->writes[i].collection, collection))
            return &s->writes[i];
    return NULL;
}

static int read_one(const struct staging *s, struct store *store, const struct run_read *read,
                    struct buf *json, struct error *error)
{
    const struct store_write *staged = find(s, read->collection, read->key);
    bool found;
    if (!staged)
        return store_get(store, s->script, read->collection, read->key, json, &found, error);
    if (staged->kind == STORE_PUT) buf_add(json, staged->value);
    return 0;
}

static int stored(const struct staging *s, struct store *store, const struct store_write *w,
                  bool *found_r, struct error *error)
{
    struct buf value = {0};
    int result = store_get(store, s->script, w->collection, w->key, &value, found_r, error);
    buf_free(&value);
    return result;
}

/* A write counts if it is the last one to its row in the collection. */
static bool last_word(const struct staging *s, const struct store_write *w, struct bytes collection)
{
    return bytes_equal(w->collection, collection) && find(s, collection, w->key) == w;
}

static int count(const struct staging *s, struct store *store, const struct run_read *read,
                 struct buf *json, struct error *error)
{
    int64_t n;
    if (store_count(store, s->script, read->collection, &n, error) != 0) return -1;
    for (size_t i = 0; i < s->n; i++) {
        const struct store_write *w = &s->writes[i];
        bool found;
        if (!last_word(s, w, read->collection)) continue;
        if (stored(s, store, w, &found, error) != 0) return -1;
        n += (w->kind == STORE_PUT) - found;
    }
    buf_add_int(json, n);
    return 0;
}

struct listing {
    const struct staging *staging;
    struct bytes collection;
    struct buf *json;
    int64_t rows, limit;
    struct bytes last; /* key of the last row that the store gave */
    struct arena arena;
    size_t seen; /* rows that the store gave, shown or not */
};

static void write_row(struct listing *l, struct bytes key, struct bytes value)
{
    buf_addz(l->json, l->rows++ ? ",{\"key\":" : "{\"key\":");
    json_write_string(l->json, key);
    buf_addz(l->json, ",\"value\":");
    buf_add(l->json, value);
    buf_addc(l->json, '}');
}

static int stored_row(void *arg, struct bytes key, struct bytes value)
{
    struct listing *l = arg;
    const struct store_write *staged = find(l->staging, l->collection, key);
    l->seen++;
    l->last = arena_copy(&l->arena, key);
    if (staged && staged->kind == STORE_DELETE) return 0;
    write_row(l, key, staged ? staged->value : value);
    return l->rows >= l->limit;
}

/* The rows that are not in the store yet come last, in the order of their first writing. */
static int list_new_rows(struct listing *l, struct store *store, struct bytes after,
                         struct error *error)
{
    const struct staging *s = l->staging;
    const struct store_write *marker = after.n ? find(s, l->collection, after) : NULL;
    size_t start = 0;
    bool found;
    if (marker && stored(s, store, marker, &found, error) != 0) return -1;
    if (marker && !found) start = (size_t)(marker - s->writes) + 1;
    for (size_t i = start; i < s->n && l->rows < l->limit; i++) {
        const struct store_write *w = &s->writes[i];
        if (w->kind != STORE_PUT || !last_word(s, w, l->collection)) continue;
        if (stored(s, store, w, &found, error) != 0) return -1;
        if (!found) write_row(l, w->key, w->value);
    }
    return 0;
}

/* Pages through the store until the listing is full: rows that the call has deleted do not count.
 */
static int list_stored_rows(struct listing *l, struct store *store, struct bytes after,
                            struct error *error)
{
    size_t page;
    l->last = after;
    do {
        l->seen = 0;
        page = (size_t)(l->limit - l->rows);
        if (store_list(store, l->staging->script, l->collection, l->last, page, stored_row, l,
                       error) != 0)
            return -1;
    } while (l->seen == page && l->rows < l->limit);
    return 0;
}

static int list(const struct staging *s, struct store *store, const struct run_read *read,
                struct buf *json, struct error *error)
{
    struct listing l = {.staging = s, .collection = read->collection, .json = json};
    const struct store_write *marker = read->key.n ? find(s, read->collection, read->key) : NULL;
    bool in_store = true;
    int result = 0;
    if (read->limit < 1 || read->limit > STORE_LIST_ROWS)
        return error_set(error, "limit must be 1 to %d", STORE_LIST_ROWS);
    l.limit = read->limit;
    buf_addc(json, '[');
    if (marker) result = stored(s, store, marker, &in_store, error);
    if (result == 0 && in_store) result = list_stored_rows(&l, store, read->key, error);
    if (result == 0) result = list_new_rows(&l, store, read->key, error);
    buf_addc(json, ']');
    arena_free(&l.arena);
    return result;
}

int staging_read(const struct staging *s, struct store *store, const struct run_read *read,
                 struct buf *json, struct error *error)
{
    switch (read->kind) {
    case RUN_GET:
        return read_one(s, store, read, json, error);
    case RUN_LIST:
        return list(s, store, read, json, error);
    case RUN_COUNT:
        return count(s, store, read, json, error);
    }
    return -1;
}
