/* The parts of a Lua pattern that match one byte: x, ., %a, [set]. Pure; classes are those of the C
 * locale, whatever the process's is. */
#ifndef LUNASK_SCRIPT_PATTERN_ITEM_H
#define LUNASK_SCRIPT_PATTERN_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An item from `p` to `end`, in a pattern that is borrowed. */
struct pattern_item {
    const char *p, *end;
};

/* What the two inline functions leave to others: the end of the set at `p`, or NULL; and whether
 * the class or set has `c`. */
const char *pattern_item_set_end(const char *p, const char *pattern_end);
bool pattern_item_includes(struct pattern_item item, unsigned char c);

/* Returns the item at `p`, which is before `pattern_end`. Its `end` is NULL if the pattern ends in
 * the midst of it. */
static inline struct pattern_item pattern_item_at(const char *p, const char *pattern_end)
{
    const char *end = p + 1;
    if (*p == '[')
        end = pattern_item_set_end(p, pattern_end);
    else if (*p == '%')
        end = end < pattern_end ? end + 1 : NULL;
    return (struct pattern_item){p, end};
}

static inline bool pattern_item_has(struct pattern_item item, unsigned char c)
{
    if (*item.p == '%' || *item.p == '[') return pattern_item_includes(item, c);
    return *item.p == '.' || (unsigned char)*item.p == c;
}

/* Returns the end of the longest run, from `s`, of bytes that the item has (or, `has` being false,
 * has not). */
const char *pattern_item_run(struct pattern_item item, const char *s, const char *end, bool has);

/* Returns how much longer than for x it may take to look for a byte in the item: a set is read to
 * its end when it has not got the byte. */
static inline int64_t pattern_item_cost(struct pattern_item item)
{
    return (item.end - item.p - 1) / 4;
}

#endif
