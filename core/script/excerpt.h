/* A line of source with a caret under what a message complains of:
 *
 *   12 | local x = = 3
 *      | ^
 */
#ifndef LUNASK_SCRIPT_EXCERPT_H
#define LUNASK_SCRIPT_EXCERPT_H

#include "base/buf.h"

#include <stdbool.h>

enum { EXCERPT_BYTES = 160 }; /* of a source line; the rest is cut off */

/* Adds the two lines, without their ends, to `source` and `caret`. The caret stands under the last
 * thing that `message` quotes ("near '='", "global 'foo'") if that is in the line exactly once,
 * otherwise under the first character that is no space. Returns false, and adds nothing, if `text`
 * has no such line (counted from 1) or only spaces in it. */
bool excerpt_make(struct bytes text, int line, struct bytes message, struct buf *source,
                  struct buf *caret);

#endif
