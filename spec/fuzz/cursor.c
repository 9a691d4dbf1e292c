/* Any cursor is refused or read, and one that is read is the only text of its key; any template and
 * URI are refused or matched, and what is matched is JSON. */
#include "methods/cursor.h"
#include "wire/json.h"
#include "wire/uri_template.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

static void check_cursor(struct bytes text)
{
    struct buf key = {0}, again = {0};
    for (enum offer_kind kind = 0; kind < OFFER_KINDS; kind++) {
        buf_clear(&key);
        buf_clear(&again);
        if (cursor_read(text, kind, &key) != 0) continue;
        check(key.n > 0, "a key is not empty");
        cursor_write(kind, buf_bytes(&key), &again);
        check(bytes_equal(buf_bytes(&again), text), "a key has one cursor");
    }
    buf_free(&key);
    buf_free(&again);
}

/* The first line is the template, the rest the URI. */
static void check_template(struct bytes text)
{
    struct bytes first;
    struct error error;
    struct buf json = {0};
    struct arena arena = {0};
    struct json_error fault;
    if (!bytes_split(&text, '\n', &first)) return;
    struct uri_template *t = uri_template_new(first, &error);
    if (t && uri_template_match(t, text, &json))
        check(json_parse(&arena, buf_bytes(&json), &JSON_LIMITS, &fault), "a match is JSON");
    uri_template_free(t);
    arena_free(&arena);
    buf_free(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes text = {(const char *)data, size};
    check_cursor(text);
    check_template(text);
    return 0;
}
