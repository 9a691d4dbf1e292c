#include "cli/store_list.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "store/store.h"
#include "wire/json_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_ROWS = 100, /* in memory at once: 25 MiB of the largest rows */
    NOTE_NAMES = 20, /* told of what there is instead */
};

struct page {
    struct buf text;
    struct buf last; /* the key of the last row read */
    size_t rows;
};

static int add_row(void *arg, struct bytes key, struct bytes value)
{
    struct page *page = arg;
    buf_addz(&page->text, "{\"key\":");
    json_write_string(&page->text, key);
    buf_addz(&page->text, ",\"value\":");
    buf_add(&page->text, value);
    buf_addz(&page->text, "}\n");
    buf_clear(&page->last);
    buf_add(&page->last, key);
    page->rows++;
    return 0;
}

/* Reads the rows after the last one of the page before. A store starts again from the first row
 * when that one has been deleted meanwhile, so a list that went on might never end. */
static int read_page(struct store *s, struct bytes script, struct bytes collection,
                     struct page *page, struct error *error)
{
    struct buf after = page->last, value = {0};
    bool still_there = true;
    page->last = (struct buf){0};
    page->rows = 0;
    buf_clear(&page->text);
    int rc = store_list(s, script, collection, buf_bytes(&after), PAGE_ROWS, add_row, page, error);
    if (rc == 0 && after.n)
        rc = store_get(s, script, collection, buf_bytes(&after), &value, &still_there, error);
    if (rc == 0 && !still_there)
        rc = error_set(error, "a row was deleted while the list was being read, so it is not "
                              "complete; run it again");
    buf_free(&after);
    buf_free(&value);
    return rc;
}

/* Returns 1 when nobody reads `out` any more. */
static int write_page(const struct page *page, FILE *out, struct error *error)
{
    fwrite(page->text.p, 1, page->text.n, out);
    if (fflush(out) == 0 && !ferror(out)) return 0;
    if (errno == EPIPE) return 1;
    return error_set(error, "cannot write the list: %s", strerror(errno));
}

/* A list of names, each once. */
struct names {
    const char **at; /* NULL-terminated once there is one */
    size_t n;
};

/* What a store has, as seen by who asked for a script and found nothing. */
struct contents {
    struct bytes script;
    struct names scripts, collections; /* all scripts; collections of that one */
};

static void add_name(struct names *names, struct bytes name)
{
    for (size_t i = 0; i < names->n; i++)
        if (bytes_equal(bytes_of(names->at[i]), name)) return;
    names->at = mem_realloc(names->at, (names->n + 2) * sizeof *names->at);
    names->at[names->n++] = mem_copy(name);
    names->at[names->n] = NULL;
}

static int add_names(void *arg, struct bytes script, struct bytes collection)
{
    struct contents *contents = arg;
    add_name(&contents->scripts, script);
    if (bytes_equal(script, contents->script)) add_name(&contents->collections, collection);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds " (did you mean 'x'?)" or the names there are, and takes the list. */
static void add_choice(struct buf *note, struct bytes wanted, const char *what, struct names *names)
{
    char *name = mem_copy(wanted);
    const char *near = names->n ? nearest_name(name, names->at) : NULL;
    if (names->n) qsort(names->at, names->n, sizeof *names->at, by_text);
    if (near) {
        buf_printf(note, " (did you mean '%s'?)", near);
    } else if (names->n) {
        buf_printf(note, " (%s", what);
        for (size_t i = 0; i < names->n && i < NOTE_NAMES; i++)
            buf_printf(note, "%s %s", i ? "," : "", names->at[i]);
        buf_addz(note, names->n > NOTE_NAMES ? ", …)" : ")");
    }
    free(name);
}

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free((char *)names->at[i]);
    free(names->at);
}

/* No rows are no error: a script may not have stored any yet. */
static int write_note(struct store *s, struct bytes script, struct bytes collection,
                      struct buf *note, struct error *error)
{
    struct contents contents = {.script = script};
    int rc = store_names(s, add_names, &contents, error);
    if (rc == 0 && contents.collections.n) {
        buf_printf(note, "%.*s has no rows in '%.*s'", BYTES_ARG(script), BYTES_ARG(collection));
        add_choice(note, collection, "it has rows in:", &contents.collections);
    } else if (rc == 0 && contents.scripts.n) {
        buf_printf(note, "no rows of a script '%.*s'", BYTES_ARG(script));
        add_choice(note, script, "there are rows of:", &contents.scripts);
    } else if (rc == 0) {
        buf_addz(note, "the store has no rows at all yet");
    }
    free_names(&contents.scripts);
    free_names(&contents.collections);
    return rc;
}

int store_list_print(const char *where, struct bytes script, struct bytes collection, FILE *out,
                     struct buf *note, struct error *error)
{
    struct store *s = store_open(where, true, error);
    if (!s) return -1;
    struct page page = {.rows = PAGE_ROWS}; /* as if a full page had come before */
    int rc = 0;
    while (rc == 0 && page.rows == PAGE_ROWS) {
        rc = read_page(s, script, collection, &page, error);
        if (rc == 0 && page.rows) rc = write_page(&page, out, error);
    }
    if (rc == 0 && page.last.n == 0) rc = write_note(s, script, collection, note, error);
    buf_free(&page.text);
    buf_free(&page.last);
    store_close(s);
    return rc < 0 ? -1 : 0;
}
