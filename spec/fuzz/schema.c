/* A schema that compiles gives every value a verdict within its budgets, the same whether or not
 * anyone asks why, and no reason without a fault. The input is a schema, a newline and a value. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST_PATTERN_INPUT = 2048 }; /* matching is bounded by time, and time by -timeout */

static void check(const struct json *root, const struct json *value, int flags)
{
    struct buf warnings = {0}, reasons = {0};
    struct error error = {.text = ""};
    struct schema *s = schema_compile(root, flags, &warnings, &error);
    assert(s || error.text[0]);
    if (s && value) {
        bool valid = schema_valid(s, value, "value", &reasons);
        assert(valid == (reasons.n == 0));
        assert(schema_valid(s, value, "value", NULL) == valid);
    }
    schema_free(s);
    buf_free(&warnings);
    buf_free(&reasons);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct json_error error;
    const char *text = (const char *)data;
    const char *end = size ? memchr(text, '\n', size) : NULL;
    if (!end || size > LONGEST_PATTERN_INPUT) return 0;
    size_t n = (size_t)(end - text);
    const struct json *root = json_parse(&arena, (struct bytes){text, n}, &JSON_LIMITS, &error);
    const struct json *value =
        json_parse(&arena, (struct bytes){end + 1, size - n - 1}, &JSON_LIMITS, &error);
    if (root) {
        check(root, value, 0);
        check(root, value, SCHEMA_ASSERT_FORMAT);
    }
    arena_free(&arena);
    return 0;
}
