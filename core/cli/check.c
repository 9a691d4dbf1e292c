#include "cli/check.h"

#include "cli/flags.h"
#include "host/config.h"
#include "script/finding.h"
#include "script/registry.h"

#include <stdio.h>
#include <string.h>

static const char USAGE[] =
    "usage: lunask check [FOLDER] [--config FILE]\n\n"
    "Loads the settings and all scripts of a folder (default: scripts) as the host would, without\n"
    "serving them, and prints everything that is wrong, one finding a line:\n"
    "  FILE:LINE: what is wrong\n"
    "  FILE:LINE: warning: what the host would take, but looks wrong\n"
    "Ends with code 1 if the host would not start, with 0 after warnings only.\n\n"
    "  --config FILE   the settings (default: host.lua in the folder)\n";

/* What is printed, and how much of it there was. */
struct check {
    struct bytes folder; /* of the files that findings name */
    size_t errors, warnings;
};

static void print_finding(void *arg, const struct finding *f)
{
    struct check *check = arg;
    struct buf path = {0}, line = {0};
    struct finding shown = *f;
    finding_path(f, check->folder, &path);
    shown.file = buf_bytes(&path);
    finding_write(&shown, true, &line);
    printf("%s\n", buf_text(&line));
    buf_free(&path);
    buf_free(&line);
    if (f->warning)
        check->warnings++;
    else
        check->errors++;
}

/* The file of the settings need not be in the scripts folder. */
static void check_settings(struct check *check, const struct config_flags *flags,
                           struct settings *settings)
{
    struct error error;
    const struct findings findings = {print_finding, check};
    const char *path = flags->config ? flags->config : flags->scripts;
    const char *slash = flags->config ? strrchr(path, '/') : path + strlen(path);
    check->folder = slash ? (struct bytes){path, (size_t)(slash - path)} : BYTES(".");
    config_read_all(flags, settings, &findings, &error);
}

static struct generation *check_scripts(struct check *check, const struct settings *settings,
                                        struct log *log)
{
    const struct findings findings = {print_finding, check};
    const struct registry_options options = {
        .folder = settings->scripts,
        .vm_memory = settings->vm_memory,
        .vm_cpu_us = settings->vm_cpu * 1000,
        .log = log,
        .findings = &findings,
    };
    check->folder = bytes_of(settings->scripts);
    return registry_load(&options, NULL);
}

static void print_count(size_t n, const char *what, const char *end)
{
    printf("%zu %s%s%s", n, what, n == 1 ? "" : "s", end);
}

static void print_summary(const struct check *check, const struct generation *g)
{
    const char *between = check->warnings ? ", " : "\n";
    if (g) {
        print_count(registry_script_count(g), "script", ", ");
        for (enum offer_kind kind = 0; kind < OFFER_KINDS; kind++)
            if (kind == OFFER_TOOL || registry_count(g, kind))
                print_count(registry_count(g, kind), offer_kind_text(kind), ", ");
    }
    if (check->errors) print_count(check->errors, "error", between);
    if (check->warnings) print_count(check->warnings, "warning", "\n");
    if (!check->errors && !check->warnings) puts("no findings");
}

static int check(const struct config_flags *flags)
{
    struct check check = {.errors = 0};
    struct settings settings = {0};
    struct log log = {stderr, LOG_WARNING};
    check_settings(&check, flags, &settings);
    struct generation *g = check_scripts(&check, &settings, &log);
    print_summary(&check, g);
    registry_release(g);
    config_free(&settings);
    return check.errors ? 1 : 0;
}

int check_main(int argc, char **argv)
{
    struct config_flags given = {.scripts = "scripts"};
    const struct flag flags[] = {{"--config", &given.config, NULL}, {NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    if (flags_read(argc, argv, flags, &given.scripts, 1, &help, &error) != 0) {
        fprintf(stderr, "lunask check: %s\n", error.text);
        return 1;
    }
    if (!help) return check(&given);
    fputs(USAGE, stdout);
    return 0;
}
