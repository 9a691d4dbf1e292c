#include "call/staging.h"

#include "base/mem.h"
#include "wire/json_write.h"
#include "wire/utf8.h"

#include <stdlib.h>
#include <string.h>

void staging_drop_writes(struct staging *s)
{
    free(s->writes);
    arena_free(&s->arena);
    *s = (struct staging){.script = s->script, .reads = s->reads};
}

void staging_free(struct staging *s)
{
    staging_drop_writes(s);
    reads_free(&s->reads);
}

/* The store would refuse these too, but as its own fault, and a script's author reads no log. */
static int check_text(const char *what, struct bytes text, size_t most, struct error *error)
{
    if (text.n >= 1 && text.n <= most && utf8_valid(text) && !memchr(text.p, '\0', text.n))
        return 0;
    return error_set(error, "ctx.store: a %s has 1 to %zu bytes of UTF-8 without NUL", what, most);
}

static int check_row(struct bytes collection, struct bytes key, struct error *error)
{
    if (check_text("collection's name", collection, STORE_NAME_BYTES, error) != 0) return -1;
    return check_text("key", key, STORE_KEY_BYTES, error);
}

int staging_check(const struct run_read *read, struct error *error)
{
    switch (read->kind) {
    case RUN_GET:
        return check_row(read->collection, read->key, error);
    case RUN_LIST:
        if (read->limit < 1 || read->limit > STORE_LIST_ROWS)
            return error_set(error, "ctx.store:list: limit must be 1 to %d", STORE_LIST_ROWS);
        if (read->key.n) return check_row(read->collection, read->key, error);
        break;
    case RUN_COUNT:
        break;
    case RUN_FILE:
    case RUN_FETCH:
    case RUN_SLEEP:
    case RUN_CALLBACK:
        return 0; /* no row of anybody's */
    }
    return check_text("collection's name", read->collection, STORE_NAME_BYTES, error);
}

int staging_add(struct staging *s, const struct store_write *w, struct error *error)
{
    if (check_row(w->collection, w->key, error) != 0) return -1;
    if (w->value.n > STORE_VALUE_BYTES)
        return error_set(error, "ctx.store: a value has at most %d KiB as JSON, not %zu bytes",
                         STORE_VALUE_BYTES / 1024, w->value.n);
    if (s->n == STAGING_WRITES)
        return error_set(error, "ctx.store: a call may write at most %d times", STAGING_WRITES);
    if (s->n == s->cap) {
        s->cap = s->cap ? s->cap * 2 : 4;
        s->writes = mem_realloc(s->writes, s->cap * sizeof *s->writes);
    }
    s->writes[s->n++] = (struct store_write){
        .kind = w->kind,
        .script = w->script.n ? arena_copy(&s->arena, w->script) : s->script,
        .collection = arena_copy(&s->arena, w->collection),
        .key = arena_copy(&s->arena, w->key),
        .value = arena_copy(&s->arena, w->value),
    };
    return 0;
}

/* A collection, and whose it is. */
struct rows {
    struct bytes script, collection;
};

static struct rows rows_of(const struct store_write *w)
{
    return (struct rows){w->script, w->collection};
}

static struct rows rows_read(const struct staging *s, const struct run_read *read)
{
    return (struct rows){read->owner.n ? read->owner : s->script, read->collection};
}

static bool is_in(const struct store_write *w, struct rows rows)
{
    return bytes_equal(w->collection, rows.collection) && bytes_equal(w->script, rows.script);
}

static bool is_of(const struct store_write *w, struct rows rows, struct bytes key)
{
    return bytes_equal(w->key, key) && is_in(w, rows);
}

/* Returns the last of the first `n` writes that is to the row, or NULL. */
static const struct store_write *find(const struct staging *s, size_t n, struct rows rows,
                                      struct bytes key)
{
    while (n-- > 0)
        if (is_of(&s->writes[n], rows, key)) return &s->writes[n];
    return NULL;
}

/* True if the row is deleted by the write `from` or one behind it. */
static bool dropped(const struct staging *s, size_t from, struct rows rows, struct bytes key)
{
    for (size_t i = from; i < s->n; i++)
        if (s->writes[i].kind == STORE_DELETE && is_of(&s->writes[i], rows, key)) return true;
    return false;
}

static int read_stored(struct staging *s, struct store *store, struct rows rows, struct bytes key,
                       struct buf *json, struct error *error)
{
    size_t before = json->n;
    bool found;
    if (store_get(store, rows.script, rows.collection, key, json, &found, error) != 0) return -1;
    struct bytes value = {NULL, 0};
    if (found) value = (struct bytes){json->p + before, json->n - before};
    reads_note(&s->reads, rows.script, rows.collection, key, value);
    return 0;
}

/* A row that the call has written last is known without the store, whatever is in there. */
static int read_one(struct staging *s, struct store *store, const struct run_read *read,
                    struct buf *json, struct error *error)
{
    struct rows rows = rows_read(s, read);
    const struct store_write *staged = find(s, s->n, rows, read->key);
    if (!staged) return read_stored(s, store, rows, read->key, json, error);
    if (staged->kind == STORE_PUT) buf_add(json, staged->value);
    return 0;
}

static int stored(struct store *store, const struct store_write *w, bool *found_r,
                  struct error *error)
{
    struct buf value = {0};
    int result = store_get(store, w->script, w->collection, w->key, &value, found_r, error);
    buf_free(&value);
    return result;
}

/* A write counts if it is the last one to its row in the collection: then it says whether the row
 * will be there. */
static bool last_word(const struct staging *s, const struct store_write *w, struct rows rows)
{
    return is_in(w, rows) && find(s, s->n, rows, w->key) == w;
}

static int count(const struct staging *s, struct store *store, const struct run_read *read,
                 struct buf *json, struct error *error)
{
    struct rows rows = rows_read(s, read);
    int64_t n;
    if (store_count(store, rows.script, rows.collection, &n, error) != 0) return -1;
    for (size_t i = 0; i < s->n; i++) {
        const struct store_write *w = &s->writes[i];
        bool found;
        if (!last_word(s, w, rows)) continue;
        if (stored(store, w, &found, error) != 0) return -1;
        n += (w->kind == STORE_PUT) - found; /* made: 1, deleted: -1, else 0 */
    }
    buf_add_int(json, n);
    return 0;
}

/* A list that is being written: rows of the store first, then those that the call has made. */
struct listing {
    const struct staging *staging;
    struct rows from;
    struct buf *json;
    int64_t rows, limit; /* written so far; at most */
    struct bytes last;   /* key of the last row that the store gave */
    struct arena arena;  /* of `last`, which outlives the row it came with */
    size_t seen;         /* rows that the store gave in this page, shown or not */
};

static void write_row(struct listing *l, struct bytes key, struct bytes value)
{
    buf_addz(l->json, l->rows++ ? ",{\"key\":" : "{\"key\":");
    json_write_string(l->json, key);
    buf_addz(l->json, ",\"value\":");
    buf_add(l->json, value);
    buf_addc(l->json, '}');
}

/* A row that was deleted, and maybe written again, is not in its old place. */
static int stored_row(void *arg, struct bytes key, struct bytes value)
{
    struct listing *l = arg;
    const struct staging *s = l->staging;
    l->seen++;
    l->last = arena_copy(&l->arena, key);
    if (dropped(s, 0, l->from, key)) return 0;
    const struct store_write *staged = find(s, s->n, l->from, key);
    write_row(l, key, staged ? staged->value : value);
    return l->rows >= l->limit;
}

/* Tells whether the write makes a row that is not there before it: that gives the row its place. */
static int makes_row(const struct staging *s, struct store *store, size_t at, bool *makes_r,
                     struct error *error)
{
    const struct store_write *w = &s->writes[at];
    const struct store_write *before = find(s, at, rows_of(w), w->key);
    bool found = before && before->kind == STORE_PUT;
    if (w->kind == STORE_PUT && !before && stored(store, w, &found, error) != 0) return -1;
    *makes_r = w->kind == STORE_PUT && !found;
    return 0;
}

/* The rows that the call has made come last, in the order of their making. */
static int list_new_rows(struct listing *l, struct store *store, size_t start, struct error *error)
{
    const struct staging *s = l->staging;
    for (size_t i = start; i < s->n && l->rows < l->limit; i++) {
        const struct store_write *w = &s->writes[i];
        bool makes;
        if (!is_in(w, l->from)) continue;
        if (dropped(s, i, l->from, w->key)) continue;
        if (makes_row(s, store, i, &makes, error) != 0) return -1;
        if (makes) write_row(l, w->key, find(s, s->n, l->from, w->key)->value);
    }
    return 0;
}

/* Finds the write that made the row `key`; *at_r is s->n if the call has not made it. */
static int find_making(const struct staging *s, struct store *store, struct rows rows,
                       struct bytes key, size_t *at_r, struct error *error)
{
    bool makes = false;
    *at_r = s->n;
    for (size_t i = s->n; i-- > 0 && !makes;) {
        if (!is_of(&s->writes[i], rows, key)) continue;
        if (makes_row(s, store, i, &makes, error) != 0) return -1;
        if (makes) *at_r = i;
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
        if (store_list(store, l->from.script, l->from.collection, l->last, page, stored_row, l,
                       error) != 0)
            return -1;
    } while (l->seen == page && l->rows < l->limit);
    return 0;
}

static int list(const struct staging *s, struct store *store, const struct run_read *read,
                struct buf *json, struct error *error)
{
    struct listing l = {.staging = s, .from = rows_read(s, read), .json = json};
    size_t making = s->n, start = 0;
    int result = 0;
    l.limit = read->limit;
    buf_addc(json, '[');
    if (read->key.n) result = find_making(s, store, l.from, read->key, &making, error);
    /* A row of the call's own has no place in the store: the list goes on behind its making. */
    if (making < s->n)
        start = making + 1;
    else if (result == 0)
        result = list_stored_rows(&l, store, read->key, error);
    if (result == 0) result = list_new_rows(&l, store, start, error);
    buf_addc(json, ']');
    arena_free(&l.arena);
    return result;
}

int staging_read(struct staging *s, struct store *store, const struct run_read *read,
                 struct buf *json, struct error *error)
{
    bool found;
    if (staging_check(read, error) != 0) return -1;
    switch (read->kind) {
    case RUN_GET:
        return read_one(s, store, read, json, error);
    case RUN_LIST:
        return list(s, store, read, json, error);
    case RUN_COUNT:
        return count(s, store, read, json, error);
    case RUN_FILE:
    case RUN_SLEEP:
    case RUN_FETCH:
        break;
    case RUN_CALLBACK: /* a row of the host's, which is there or comes: no call is to run anew for
                          it */
        return store_get(store, read->owner, read->collection, read->key, json, &found, error);
    }
    return -1;
}

int staging_commit(const struct staging *s, struct store *store, const struct store_write *more,
                   size_t n, struct error *error)
{
    size_t reads = s->n ? s->reads.n : 0; /* who writes nothing may have read what is old */
    if (s->n && s->reads.lost)
        return error_set(error, "a call that writes may read %d rows by their keys, of %d MiB",
                         READS_ROWS, READS_BYTES >> 20);
    if (reads + n == 0) return store_commit(store, s->writes, s->n, error);
    struct store_write *all = mem_alloc((reads + n + s->n) * sizeof *all);
    struct store_write *end = all;
    for (size_t i = 0; i < reads; i++)
        *end++ = s->reads.rows[i];
    for (size_t i = 0; i < n; i++)
        *end++ = more[i];
    for (size_t i = 0; i < s->n; i++)
        *end++ = s->writes[i];
    int rc = store_commit(store, all, (size_t)(end - all), error);
    free(all);
    return rc;
}
