#include "cli/store_list.h"

#include "store/store.h"
#include "wire/json_write.h"

#include <errno.h>
#include <string.h>

enum { PAGE_ROWS = 100 }; /* in memory at once: 25 MiB of the largest rows */

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

int store_list_print(const char *where, struct bytes script, struct bytes collection, FILE *out,
                     struct error *error)
{
    struct store *s = store_open(where, true, error);
    if (!s) return -1;
    struct page page = {.rows = PAGE_ROWS}; /* as if a full page had come before */
    int rc = 0;
    while (rc == 0 && page.rows == PAGE_ROWS) {
        rc = read_page(s, script, collection, &page, error);
        if (rc == 0 && page.rows) rc = write_page(&page, out, error);
    }
    buf_free(&page.text);
    buf_free(&page.last);
    store_close(s);
    return rc < 0 ? -1 : 0;
}
