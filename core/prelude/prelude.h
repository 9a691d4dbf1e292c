/* The Lua half of the script API, compiled into the binary from the .lua files of this folder. */
#ifndef LUNASK_PRELUDE_PRELUDE_H
#define LUNASK_PRELUDE_PRELUDE_H

#include "base/bytes.h"

struct prelude_part {
    const char *name; /* the file's name without .lua */
    struct bytes source;
};

extern const struct prelude_part PRELUDE[]; /* ends with a NULL name */

#endif
