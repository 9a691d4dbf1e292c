/* Any text is refused or read; what was read is written so that it reads back as the same value. */
#include "wire/json_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

/* Each member is found again by its key, and walking ends where the span says. */
static void check_walk(const struct json *v)
{
    const struct json *end = v + 1;
    uint32_t count = 0;
    for (const struct json *e = json_first(v); e; e = json_next(v, e)) {
        const struct json *inside = v->type == JSON_OBJECT ? json_value(e) : e;
        check(v->type != JSON_OBJECT || json_get_bytes(v, e->text) == inside, "a member is found");
        check_walk(inside);
        end = inside + inside->span;
        if (++count > 1000) return; /* looking up each of very many takes quadratic time */
    }
    bool container = v->type == JSON_ARRAY || v->type == JSON_OBJECT;
    check(end == v + v->span, "the span covers what is inside");
    check(!container || count == v->count, "the count is what is inside");
}

static void check_number(const struct json *v)
{
    int64_t integer;
    double number;
    if (json_int(v, &integer))
        check(json_double(v, &number) && number == (double)integer, "integers are their double");
}

static void check_value(struct arena *arena, const struct json *v)
{
    struct buf plain = {0};
    struct buf canonical = {0};
    struct buf again = {0};
    struct json_error error;
    check_walk(v);
    check_number(v);
    json_write_value(&plain, v);
    json_write_canonical(&canonical, v);

    const struct json *copy = json_parse(arena, buf_bytes(&plain), &JSON_LIMITS, &error);
    check(copy && json_equal(v, copy) && json_equal(copy, v), "a written value is the same value");
    json_write_canonical(&again, copy);
    check(bytes_equal(buf_bytes(&canonical), buf_bytes(&again)), "equal values are written alike");

    /* 10e999999999 has a normal form whose exponent is one too large to be read. */
    const struct json *normal = json_parse(arena, buf_bytes(&canonical), &JSON_LIMITS, &error);
    if (normal) {
        check(json_equal(v, normal), "the canonical text is of the same value");
        buf_clear(&again);
        json_write_canonical(&again, normal);
        check(bytes_equal(buf_bytes(&canonical), buf_bytes(&again)), "canonical is final");
    } else {
        check(strcmp(error.reason, "exponent too large") == 0, "canonical text is JSON");
    }
    buf_free(&plain);
    buf_free(&canonical);
    buf_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct json_error error = {0};
    struct bytes text = {(const char *)data, size};
    const struct json *v = json_parse(&arena, text, &JSON_LIMITS, &error);
    if (v)
        check_value(&arena, v);
    else
        check(error.reason && error.at <= size, "a refusal names a place in the text");
    arena_free(&arena);
    return 0;
}
