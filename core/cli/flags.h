/* The flags of a subcommand: "--name VALUE", "--name=VALUE" and positional arguments.
 *
 * Short flags are not made, but for -h: a long one can be looked up, and is understood in a unit
 * file years on. To add a flag: a line in the subcommand's table, and one in its USAGE. */
#ifndef LUNASK_CLI_FLAGS_H
#define LUNASK_CLI_FLAGS_H

#include "base/error.h"

#include <stdbool.h>

struct flag {
    const char *name;   /* with its dashes; NULL ends the table */
    const char **value; /* set to the argument; NULL: it takes none */
    bool *given;        /* set to true; NULL: nobody asks */
};

/* Reads argv[2…]. Of a flag given twice the last one counts; a value that begins with "--" must be
 * given with "=", as it is most likely the next flag. `words` takes `word_count` positional
 * arguments; one that is not NULL before need not be there. --help sets *help_r and ends the
 * reading. Returns -1 with an error that names the nearest known flag. */
int flags_read(int argc, char **argv, const struct flag *flags, const char **words, int word_count,
               bool *help_r, struct error *error);

#endif
