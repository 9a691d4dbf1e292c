#include "cli/tools.h"

#include "base/mem.h"
#include "cli/flags.h"
#include "host/config.h"
#include "script/finding.h"
#include "script/grants.h"
#include "script/registry.h"
#include "wire/json.h"

#include <stdio.h>
#include <stdlib.h>

static const char USAGE[] =
    "usage: lunask tools [FOLDER] [--config FILE]\n\n"
    "Lists the tools of a folder of scripts (default: scripts): the name, the file, what its\n"
    "annotations say of it (read-only, destructive, idempotent; - for nothing), and the first "
    "line\n"
    "of its description; then what scripts are granted beyond their own rows.\n\n"
    "  --config FILE   the settings (default: host.lua in the folder)\n";

enum { COLUMNS = 4 };

struct row {
    struct buf cell[COLUMNS];
};

/* Control characters would drive a terminal. */
static void add_visible(struct buf *out, struct bytes text)
{
    for (size_t i = 0; i < text.n; i++)
        buf_addc(out, (unsigned char)text.p[i] < 0x20 || text.p[i] == 0x7f ? ' ' : text.p[i]);
}

static void add_hint(struct buf *out, const struct json *annotations, const char *hint,
                     const char *word)
{
    if (!json_true(json_get(annotations, hint))) return;
    if (out->n) buf_addz(out, ", ");
    buf_addz(out, word);
}

static void fill(struct row *row, const struct offer *tool, struct bytes folder)
{
    struct arena arena = {0};
    struct json_error fault;
    struct finding place = {.file = tool->file};
    const struct json *json = json_parse(&arena, tool->json, &JSON_LIMITS, &fault);
    const struct json *annotations = json_get(json, "annotations");
    struct bytes rest = json_string(json_get(json, "description")), line = {NULL, 0};
    bytes_split(&rest, '\n', &line);
    add_visible(&row->cell[0], tool->name);
    finding_path(&place, folder, &row->cell[1]);
    add_hint(&row->cell[2], annotations, "readOnlyHint", "read-only");
    add_hint(&row->cell[2], annotations, "destructiveHint", "destructive");
    add_hint(&row->cell[2], annotations, "idempotentHint", "idempotent");
    if (row->cell[2].n == 0) buf_addc(&row->cell[2], '-');
    add_visible(&row->cell[3], bytes_trim(line));
    arena_free(&arena);
}

/* Returns how many columns of a terminal it takes, nearly: a character takes one. */
static size_t width(struct bytes text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        if (((unsigned char)text.p[i] & 0xC0) != 0x80) n++;
    return n;
}

/* Nothing is put behind the last cell of a row that has something in it. */
static void print_row(const struct row *row, const size_t *widths)
{
    int last = COLUMNS - 1;
    while (last > 0 && row->cell[last].n == 0)
        last--;
    for (int i = 0; i <= last; i++) {
        struct bytes cell = buf_bytes(&row->cell[i]);
        int gap = i == last ? 0 : (int)(widths[i] - width(cell)) + 2;
        printf("%.*s%*s", BYTES_ARG(cell), gap, "");
    }
    putchar('\n');
}

static void print_tools(const struct generation *g, struct bytes folder)
{
    size_t widths[COLUMNS] = {0};
    size_t n = registry_count(g, OFFER_TOOL);
    struct row *rows = mem_alloc(n * sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        fill(&rows[i], registry_at(g, OFFER_TOOL, i), folder);
        for (int c = 0; c < COLUMNS; c++) {
            size_t wide = width(buf_bytes(&rows[i].cell[c]));
            if (wide > widths[c]) widths[c] = wide;
        }
    }
    for (size_t i = 0; i < n; i++) {
        print_row(&rows[i], widths);
        for (int c = 0; c < COLUMNS; c++)
            buf_free(&rows[i].cell[c]);
    }
    free(rows);
}

/* A line a script: "weather may use: env WEATHER_KEY, read data". */
static void print_grants(const struct grants *grants)
{
    struct buf line = {0}, text = {0};
    for (size_t i = 0; i < grants_count(grants); i++) {
        const struct grant *grant = grants_at(grants, i);
        bool first = i == 0 || !bytes_equal(grants_at(grants, i - 1)->script, grant->script);
        if (first)
            buf_printf(&line, "\n%.*s may use: ", BYTES_ARG(grant->script));
        else
            buf_addz(&line, ", ");
        buf_clear(&text);
        grants_describe(grant, &text);
        add_visible(&line, buf_bytes(&text));
    }
    if (line.n) printf("%s\n", buf_text(&line));
    buf_free(&line);
    buf_free(&text);
}

static int list(const struct config_flags *flags, struct error *error)
{
    struct settings settings = {0};
    struct log log = {stderr, LOG_WARNING};
    struct generation *g = NULL;
    int result = config_read(flags, &settings, error);
    if (result == 0) {
        g = registry_load(&(struct registry_options){.folder = settings.scripts,
                                                     .vm_memory = settings.vm_memory,
                                                     .vm_cpu_us = settings.vm_cpu * 1000,
                                                     .log = &log},
                          error);
        result = g ? 0 : -1;
    }
    if (g) print_tools(g, bytes_of(settings.scripts));
    if (g) print_grants(settings.grants);
    registry_release(g);
    config_free(&settings);
    return result;
}

int tools_main(int argc, char **argv)
{
    struct config_flags given = {.scripts = "scripts"};
    const struct flag flags[] = {{"--config", &given.config, NULL}, {NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    int result = flags_read(argc, argv, flags, &given.scripts, 1, &help, &error);
    if (help) {
        fputs(USAGE, stdout);
        return 0;
    }
    if (result == 0) result = list(&given, &error);
    if (result == 0) return 0;
    fprintf(stderr, "lunask tools: %s\n", error.text);
    return 1;
}
