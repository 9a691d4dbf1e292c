#include "store/store.h"

#include "store/memory.h"
#include "store/sqlite.h"

#include <stdlib.h>
#include <string.h>

struct store *store_open(const char *where, bool read_only, struct error *error)
{
    if (strcmp(where, "memory:") == 0) {
        if (!read_only) return store_memory_open();
        error_set(error, "the store memory: lives inside the host that uses it and cannot be read "
                         "from outside; give the host a file with --store PATH to look into it");
        return NULL;
    }
    /* Names people carry over from elsewhere; as paths they would make odd files and folders. */
    if (strcmp(where, ":memory:") == 0 || strstr(where, "://")) {
        error_set(error, "unknown kind of store \"%s\": use memory: or the path of a file", where);
        return NULL;
    }
    return store_sqlite_open(where, read_only, error);
}

void store_close(struct store *s)
{
    if (s) s->ops->close(s);
}

/* NUL is refused because text columns elsewhere cannot hold it, and a row should be able to move.
 */
static int check_text(const char *what, struct bytes text, size_t most, struct error *error)
{
    if (text.n == 0) return error_set(error, "the %s is empty", what);
    if (text.n > most)
        return error_set(error, "the %s is %zu bytes long, but at most %zu are allowed", what,
                         text.n, most);
    if (memchr(text.p, '\0', text.n))
        return error_set(error, "the %s contains a NUL byte, which no store takes", what);
    return 0;
}

static int check_names(struct bytes script, struct bytes collection, struct error *error)
{
    if (check_text("script name", script, STORE_NAME_BYTES, error)) return -1;
    return check_text("collection name", collection, STORE_NAME_BYTES, error);
}

static int check_key(struct bytes key, struct error *error)
{
    return check_text("key", key, STORE_KEY_BYTES, error);
}

static int check_write(const struct store_write *w, struct error *error)
{
    if (check_names(w->script, w->collection, error)) return -1;
    if (check_key(w->key, error)) return -1;
    bool has_value = w->kind == STORE_PUT || (w->kind == STORE_EXPECT && w->value.p);
    return has_value ? check_text("value", w->value, STORE_VALUE_BYTES, error) : 0;
}

int store_get(struct store *s, struct bytes script, struct bytes collection, struct bytes key,
              struct buf *value, bool *found_r, struct error *error)
{
    if (check_names(script, collection, error) || check_key(key, error)) return -1;
    return s->ops->get(s, script, collection, key, value, found_r, error);
}

int store_list(struct store *s, struct bytes script, struct bytes collection, struct bytes after,
               size_t limit, store_row_fn *row, void *arg, struct error *error)
{
    if (check_names(script, collection, error)) return -1;
    if (after.n && check_key(after, error)) return -1; /* empty is the start, no key */
    if (limit < 1 || limit > STORE_LIST_ROWS)
        return error_set(error, "a list takes 1 to %d rows at a time, not %zu", STORE_LIST_ROWS,
                         limit);
    return s->ops->list(s, script, collection, after, limit, row, arg, error);
}

int store_count(struct store *s, struct bytes script, struct bytes collection, int64_t *count_r,
                struct error *error)
{
    if (check_names(script, collection, error)) return -1;
    return s->ops->count(s, script, collection, count_r, error);
}

int store_names(struct store *s, store_names_fn *names, void *arg, struct error *error)
{
    return s->ops->names(s, names, arg, error);
}

int store_commit(struct store *s, const struct store_write *writes, size_t n, struct error *error)
{
    /* All of them before the first is written: the store's own commit can then fail for reasons of
     * its disk only. */
    for (size_t i = 0; i < n; i++)
        if (check_write(&writes[i], error)) return -1;
    if (s->read_only) return error_set(error, "the store was opened to be read only");
    if (n == 0) return 0;
    return s->ops->commit(s, writes, n, error);
}

int store_begin(struct store *s, struct error *error)
{
    if (!s->ops->begin || s->read_only)
        return error_set(error, "this store does not put commits together");
    return s->ops->begin(s, error);
}

int store_end(struct store *s, struct error *error)
{
    return s->ops->end(s, error);
}

int store_default_path(struct buf *out, struct error *error)
{
    const char *state = getenv("XDG_STATE_HOME");
    if (state && state[0] == '/') {
        buf_printf(out, "%s/lunask/store.db", state);
        return 0;
    }
    const char *home = getenv("HOME");
    if (home && home[0] != '\0') {
        buf_printf(out, "%s/.local/state/lunask/store.db", home);
        return 0;
    }
    return error_set(error, "neither XDG_STATE_HOME nor HOME is set, so there is no default place "
                            "for the store; name one with --store PATH");
}
