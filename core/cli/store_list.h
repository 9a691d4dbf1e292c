/* `lunask store list SCRIPT COLLECTION [--store PATH]` */
#ifndef LUNASK_CLI_STORE_LIST_H
#define LUNASK_CLI_STORE_LIST_H

#include "base/buf.h"
#include "base/error.h"

#include <stdio.h>

/* Opens the store that `where` names to be read only and prints the rows of the collection to `out`
 * in the order in which they were first written, each as one line {"key":…,"value":…}. A host may
 * go on writing meanwhile; no lock outlasts the reading of a page of rows, however slowly `out`
 * takes them. A reader of `out` that goes away ends the list without an error (where SIGPIPE does
 * not end the process first). Where there are no rows, adds to `note` what the store has instead,
 * with the nearest name if there is one. Returns 0, or -1 with `error`; both texts are for standard
 * error. */
int store_list_print(const char *where, struct bytes script, struct bytes collection, FILE *out,
                     struct buf *note, struct error *error);

#endif
