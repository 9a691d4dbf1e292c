/* lunask COMMAND …: one file a command.
 *
 * To add a command: a file that defines `int NAME_main(int argc, char **argv)`, and a line below.
 * It gets argv as it is and returns the exit status: 0, or 1 with the reason on standard error. */
#include "base/nearest.h"
#include "cli/check.h"
#include "cli/keys.h"
#include "cli/serve.h"
#include "cli/status.h"
#include "cli/stdio.h"
#include "cli/store.h"
#include "cli/tools.h"
#include "cli/version.h"

#include <stdio.h>
#include <string.h>

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
};

static const struct command COMMANDS[] = {
    {"serve", serve_main, "serve the scripts of a folder over HTTP"},
    {"stdio", stdio_main, "serve the scripts of a folder over standard input and output"},
    {"check", check_main, "tell what is wrong with the scripts, without serving them"},
    {"status", status_main, "say how the host that runs is, and what keeps scripts from loading"},
    {"tools", tools_main, "list the tools"},
    {"store", store_main, "look into the rows that scripts keep"},
    {"keys", keys_main, "make a key for what waits at clients"},
    {"version", version_main, "print the version and what it runs on"},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void print_usage(FILE *out)
{
    fputs("lunask: an MCP server whose tools are Lua scripts that can ask a person\n\n"
          "usage: lunask COMMAND [--help]\n\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-9s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
}

static int unknown(const char *given)
{
    const char *names[COMMAND_COUNT + 1] = {NULL};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = COMMANDS[i].name;
    const char *near = nearest_name(given, names);
    if (near)
        fprintf(stderr, "lunask: unknown command '%s' (did you mean '%s'?)\n", given, near);
    else
        fprintf(stderr, "lunask: unknown command '%s' (lunask --help lists them)\n", given);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return 1;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return 0;
    }
    const char *name = strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, COMMANDS[i].name) == 0) return COMMANDS[i].run(argc, argv);
    return unknown(argv[1]);
}
