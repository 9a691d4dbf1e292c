#include "cli/store.h"

#include "cli/flags.h"
#include "cli/store_list.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

static const char USAGE[] =
    "usage: lunask store list SCRIPT COLLECTION [--store PATH]\n\n"
    "Prints the rows of a script's collection, one JSON object a line:\n"
    "  {\"key\":\"…\",\"value\":…}\n"
    "Works while a host runs on the same store. SCRIPT is the script's file name without .lua.\n\n"
    "  --store PATH   the store's file (default: lunask/store.db in the user's state folder)\n";

static int list(const char *where, const char *script, const char *collection, struct error *error)
{
    struct buf path = {0};
    int result = 0;
    if (!where) result = store_default_path(&path, error);
    if (result == 0)
        result = store_list_print(where ? where : buf_text(&path), bytes_of(script),
                                  bytes_of(collection), stdout, error);
    buf_free(&path);
    return result;
}

int store_main(int argc, char **argv)
{
    const char *words[3] = {NULL}; /* action, script, collection */
    const char *where = NULL;
    const struct flag flags[] = {{"--store", &where, NULL}, {NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    int result = flags_read(argc, argv, flags, words, 3, &help, &error);
    if (help) {
        fputs(USAGE, stdout);
        return 0;
    }
    if (result == 0 && strcmp(words[0], "list") != 0)
        result = error_set(&error, "unknown action '%s' (there is: list)", words[0]);
    if (result == 0) result = list(where, words[1], words[2], &error);
    if (result == 0) return 0;
    fprintf(stderr, "lunask store: %s\n", error.text);
    return 1;
}
