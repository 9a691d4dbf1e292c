#include "cli/keys.h"

#include "base/error.h"
#include "call/keys.h"
#include "cli/flags.h"

#include <stdio.h>
#include <string.h>

static const char USAGE[] = "usage: lunask keys new\n\n"
                            "Prints a fresh key for requestState: 32 random bytes as base64url.\n";

/* On standard error, so that standard output is the key and nothing else. */
static const char ADVICE[] =
    "Put it first into state_keys in host.lua, or as the first line into the key file beside the\n"
    "store (STORE.keys, mode 0600), and restart the host. Keep the old key behind it until the\n"
    "states that it sealed have expired (state_ttl): the first key seals, all open. Hosts that "
    "serve\n"
    "the same clients need the same keys: append the new one on all of them before any has it "
    "first.\n";

static void print_new(void)
{
    char text[KEYS_TEXT_BYTES];
    keys_new(text);
    puts(text);
    fputs(ADVICE, stderr);
    keys_wipe(text, sizeof text);
}

int keys_main(int argc, char **argv)
{
    static const struct flag none[] = {{NULL, NULL, NULL}};
    const char *words[1] = {NULL};
    struct error error;
    bool help = false;
    int result = flags_read(argc, argv, none, words, 1, &help, &error);
    if (help) {
        fputs(USAGE, stdout);
        return 0;
    }
    if (result == 0 && strcmp(words[0], "new") != 0)
        result = error_set(&error, "unknown action '%s' (there is: new)", words[0]);
    if (result != 0) {
        fprintf(stderr, "lunask keys: %s\n", error.text);
        return 1;
    }
    print_new();
    return 0;
}
