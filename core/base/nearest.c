#include "base/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Longer names are never near: it keeps the rows on the stack, and no one names a key like that. */
enum { LONGEST = 64 };

static bool same(char a, char b)
{
    if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
    if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
    return a == b;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Returns the optimal string alignment distance (Levenshtein plus swaps of neighbours) of texts of
 * at most LONGEST bytes. Row i, column j is the distance of the first i bytes of `a` from the first
 * j of `b`; three rows are enough, as a swap reaches back two. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            row[j] = least(last[j], row[j - 1]) + 1;
            row[j] = least(row[j], last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[nb];
}

const char *nearest_name(const char *name, const char *const *names)
{
    size_t n = strlen(name);
    if (n == 0 || n > LONGEST) return NULL;
    unsigned best = n <= 3 ? 2 : 3; /* the first distance that is too far */
    const char *found = NULL;
    for (; *names; names++) {
        size_t length = strlen(*names);
        /* Lengths that differ by more than 2 are more than 2 edits apart. */
        if (length > LONGEST || length > n + 2 || n > length + 2) continue;
        unsigned edits = distance(name, n, *names, length);
        if (edits >= best) continue;
        best = edits;
        found = *names;
    }
    return found;
}
