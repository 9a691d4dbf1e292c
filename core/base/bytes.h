/* Views of bytes: a pointer and a length, never owned, never assumed to end in NUL. */
#ifndef LUNASK_BASE_BYTES_H
#define LUNASK_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* A borrowed run of bytes. `p` may be NULL only when `n` is 0; {NULL, 0} also means "absent"
 * where a header says so. */
struct bytes {
    const char *p;
    size_t n;
};

/* A string literal as bytes: BYTES in expressions, BYTES_INIT in static tables, where ISO C takes
 * no compound literal. The length comes from the array, so a NUL inside counts. */
#define BYTES(literal) ((struct bytes){(literal), sizeof(literal) - 1})
#define BYTES_INIT(literal)                                                                        \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

/* The printf arguments of a "%.*s", which ends at a NUL: for what is known to hold none, or where a
 * cut text does no harm. `b` is evaluated twice. */
#define BYTES_ARG(b) (int)(b).n, (b).p

/* Returns a view of the NUL-terminated `text`; {NULL, 0} for NULL. */
struct bytes bytes_of(const char *text);

/* Two empty views are equal, whether or not one of them is absent. */
bool bytes_equal(struct bytes a, struct bytes b);

/* Compares as `b` would be typed in a header: ASCII letters of either case are equal. What stands
 * behind a NUL is not compared; no field value has one (RFC 9110, 5.5). */
bool bytes_equal_nocase(struct bytes a, struct bytes b);

bool bytes_starts(struct bytes b, struct bytes prefix);

/* memcmp order, a prefix before the longer one: the order of names in every list we send, and of
 * keys in canonical JSON, on every machine and in every locale. */
int bytes_compare(struct bytes a, struct bytes b);

/* Returns `b` without leading and trailing spaces and tabs (HTTP's optional white space). */
struct bytes bytes_trim(struct bytes b);

/* Cuts the part of *rest before `separator` and moves *rest behind it. Returns false, with *part_r
 * untouched, once *rest was used up. Empty parts are returned too: a text that is empty but there
 * has one part, one that is absent has none.
 *
 *   while (bytes_split(&rest, ',', &part)) … */
bool bytes_split(struct bytes *rest, char separator, struct bytes *part_r);

#endif
