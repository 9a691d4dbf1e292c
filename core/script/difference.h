/* How what one generation offers from another's, in words for an operator. */
#ifndef LUNASK_SCRIPT_DIFFERENCE_H
#define LUNASK_SCRIPT_DIFFERENCE_H

#include "script/registry.h"

enum {
    DIFFERENCE_LINES = 24,      /* told in all, with one more that says how many were left out */
    DIFFERENCE_VALUE_BYTES = 60 /* of a value; the rest is cut off */
};

/* Calls `tell(arg, line)` for each difference:
 *   tool book_meeting added
 *   tool book_meeting removed
 *   tool book_meeting: inputSchema.properties.topic.maxLength 120 → 100
 *   tool book_meeting: annotations added: {"readOnlyHint":true}
 *   tool book_meeting: title removed
 *   resource docs://readme: mimeType added: "text/plain"
 * `line` is borrowed for the call. Returns which lists have another answer now, as a set of
 * enum offer_list; how members are ordered and numbers written does not count. */
unsigned difference_tell(const struct generation *before, const struct generation *after,
                         void (*tell)(void *arg, const char *line), void *arg);

#endif
