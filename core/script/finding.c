#include "script/finding.h"

#include <limits.h>
#include <string.h>

static const struct bytes SUFFIX = BYTES_INIT(".lua:");

/* Returns the digits before ": " as a number and moves *rest behind them; 0 if there are none. */
static int take_line(struct bytes *rest)
{
    int line = 0;
    size_t i = 0;
    for (; i < rest->n && rest->p[i] >= '0' && rest->p[i] <= '9' && line < INT_MAX / 10 - 1; i++)
        line = line * 10 + (rest->p[i] - '0');
    if (i == 0 || i + 1 >= rest->n || rest->p[i] != ':' || rest->p[i + 1] != ' ') return 0;
    *rest = (struct bytes){rest->p + i + 2, rest->n - i - 2};
    return line;
}

struct finding finding_read(struct bytes text)
{
    struct finding f = {.text = text};
    const char *end = text.n ? memmem(text.p, text.n, SUFFIX.p, SUFFIX.n) : NULL;
    const char *gap = text.n ? memmem(text.p, text.n, ": ", 2) : NULL;
    if (!end || !gap || end > gap) return f;
    size_t length = (size_t)(end - text.p) + SUFFIX.n - 1;
    struct bytes rest = {text.p + length + 1, text.n - length - 1};
    f.line = take_line(&rest);
    if (f.line == 0 && !bytes_starts(rest, BYTES(" "))) return f;
    f.file = (struct bytes){text.p, length};
    f.text = bytes_trim(rest);
    return f;
}

void finding_write(const struct finding *f, bool graded, struct buf *out)
{
    buf_add(out, f->file);
    if (f->line) buf_printf(out, ":%d", f->line);
    if (f->file.n) buf_addz(out, ": ");
    if (graded && f->warning) buf_addz(out, "warning: ");
    buf_add(out, f->text);
}

static struct bytes without_end_slashes(struct bytes path)
{
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    return path;
}

static bool is_inside(struct bytes path, struct bytes folder)
{
    return path.n > folder.n && path.p[folder.n] == '/' && bytes_starts(path, folder);
}

void finding_path(const struct finding *f, struct bytes folder, struct buf *out)
{
    folder = without_end_slashes(folder);
    const char *slash = folder.n ? memrchr(folder.p, '/', folder.n) : NULL;
    struct bytes name =
        slash ? (struct bytes){slash + 1, folder.n - (size_t)(slash + 1 - folder.p)} : folder;
    if (name.n && !is_inside(f->file, folder) && is_inside(f->file, name))
        buf_add(out, (struct bytes){folder.p, folder.n - name.n});
    buf_add(out, f->file);
}

void finding_log(const struct finding *f, struct log *log)
{
    struct buf line = {0};
    finding_write(f, false, &line);
    log_line(log, f->warning ? LOG_WARNING : LOG_ERROR, "%s", buf_text(&line));
    buf_free(&line);
}
