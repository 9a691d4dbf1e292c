#include "cli/flags.h"

#include "base/nearest.h"

#include <string.h>

enum { FLAGS_MOST = 15 }; /* of a subcommand: what is suggested comes from these */

static int unknown(const char *given, const struct flag *flags, struct error *error)
{
    const char *names[FLAGS_MOST + 2] = {"--help"};
    struct error name;
    /* Without its "=VALUE", which would make every name look far from it. */
    error_set(&name, "%.*s", (int)strcspn(given, "="), given);
    for (int i = 0; i < FLAGS_MOST && flags[i].name; i++)
        names[i + 1] = flags[i].name;
    const char *near = nearest_name(name.text, names);
    if (near) return error_set(error, "unknown flag '%s' (did you mean '%s'?)", name.text, near);
    return error_set(error, "unknown flag '%s' (--help lists the known ones)", name.text);
}

/* Reads the value behind the flag's name. Returns how many arguments were used, or -1. */
static int read_value(char **argument, const struct flag *flag, struct error *error)
{
    char *behind = argument[0] + strlen(flag->name);
    if (!flag->value) return *behind ? error_set(error, "%s takes no value", flag->name) : 1;
    if (*behind) {
        *flag->value = behind + 1;
        return 1;
    }
    if (!argument[1] || strncmp(argument[1], "--", 2) == 0)
        return error_set(error, "%s needs a value", flag->name);
    *flag->value = argument[1];
    return 2;
}

/* Returns how many arguments were used, or -1. */
static int read_flag(char **argument, const struct flag *flags, struct error *error)
{
    for (; flags->name; flags++) {
        size_t n = strlen(flags->name);
        if (strncmp(argument[0], flags->name, n) != 0) continue;
        if (argument[0][n] != '=' && argument[0][n] != '\0') continue;
        int used = read_value(argument, flags, error);
        if (used > 0 && flags->given) *flags->given = true;
        return used;
    }
    return 0;
}

int flags_read(int argc, char **argv, const struct flag *flags, const char **words, int word_count,
               bool *help_r, struct error *error)
{
    int got = 0;
    /* argv[0] is the program, argv[1] the subcommand. */
    for (int i = 2; i < argc;) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            *help_r = true;
            return 0;
        }
        /* Words may stand anywhere between the flags. */
        if (argv[i][0] != '-') {
            if (got == word_count)
                return error_set(error, "'%s' is one argument too many", argv[i]);
            words[got++] = argv[i++];
            continue;
        }
        int used = read_flag(argv + i, flags, error);
        if (used < 0) return -1;
        if (used == 0) return unknown(argv[i], flags, error);
        i += used;
    }
    if (got < word_count && !words[got])
        return error_set(error, "an argument is missing (see --help)");
    return 0;
}
