#include "schema/schema_marks.h"

#include "base/mem.h"

#include <stdlib.h>

enum { BITS = 64 };

static size_t word_count(const struct json *v)
{
    return (v->span + BITS - 1) / BITS;
}

struct schema_marks schema_marks_begin(const struct json *v)
{
    struct schema_marks marks = {.of = v};
    size_t n = word_count(v);
    if (n > 1) marks.words = mem_alloc(n * sizeof *marks.words);
    return marks;
}

void schema_marks_end(struct schema_marks *marks)
{
    free(marks->words);
}

unsigned schema_marks_cost(const struct json *v)
{
    return 1 + (unsigned)(word_count(v) / 8);
}

void schema_marks_add(struct schema_marks *marks, const struct json *cell)
{
    size_t at = (size_t)(cell - marks->of);
    uint64_t *words = marks->words ? marks->words : &marks->few;
    words[at / BITS] |= (uint64_t)1 << at % BITS;
}

bool schema_marks_has(const struct schema_marks *marks, const struct json *cell)
{
    size_t at = (size_t)(cell - marks->of);
    const uint64_t *words = marks->words ? marks->words : &marks->few;
    return words[at / BITS] >> at % BITS & 1;
}

void schema_marks_merge(struct schema_marks *into, const struct schema_marks *from)
{
    into->few |= from->few;
    for (size_t i = 0; into->words && i < word_count(into->of); i++)
        into->words[i] |= from->words[i];
}
