#include "cli/store.h"

#include "cli/flags.h"
#include "cli/store_list.h"
#include "host/config.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

static const char USAGE[] =
    "usage: lunask store list SCRIPT COLLECTION [--store PATH] [--config FILE]\n\n"
    "Prints the rows of a script's collection, one JSON object a line:\n"
    "  {\"key\":\"…\",\"value\":…}\n"
    "Works while a host runs on the same store. SCRIPT is the script's file name without .lua.\n"
    "Where there are no rows, standard error says what the store has; that is no failure.\n\n"
    "  --store PATH    the store's file (default: what the settings say, else lunask/store.db in\n"
    "                  the user's state folder)\n"
    "  --config FILE   the settings (default: scripts/host.lua, if it is there)\n";

/* Adds the store's place. Settings that can't be read don't matter to who names the store. */
static int find_store(const struct config_flags *given, struct buf *path, struct error *error)
{
    struct settings settings = {0};
    int result = 0;
    if (given->store)
        buf_addz(path, given->store);
    else if (config_read(given, &settings, error) != 0)
        result = -1;
    else if (settings.store)
        buf_addz(path, settings.store);
    else
        result = store_default_path(path, error);
    config_free(&settings);
    return result;
}

static int list(const struct config_flags *given, const char *script, const char *collection,
                struct error *error)
{
    struct buf path = {0}, note = {0};
    int result = find_store(given, &path, error);
    if (result == 0)
        result = store_list_print(buf_text(&path), bytes_of(script), bytes_of(collection), stdout,
                                  &note, error);
    if (note.n) fprintf(stderr, "lunask store: %s\n", buf_text(&note));
    buf_free(&path);
    buf_free(&note);
    return result;
}

int store_main(int argc, char **argv)
{
    const char *words[3] = {NULL}; /* action, script, collection */
    struct config_flags given = {0};
    const struct flag flags[] = {
        {"--store", &given.store, NULL}, {"--config", &given.config, NULL}, {NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    int result = flags_read(argc, argv, flags, words, 3, &help, &error);
    if (help) {
        fputs(USAGE, stdout);
        return 0;
    }
    if (result == 0 && strcmp(words[0], "list") != 0)
        result = error_set(&error, "unknown action '%s' (there is: list)", words[0]);
    if (result == 0) result = list(&given, words[1], words[2], &error);
    if (result == 0) return 0;
    fprintf(stderr, "lunask store: %s\n", error.text);
    return 1;
}
