#include "base/log.h"

#include "base/buf.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

static const char *const NAMES[] = {"emergency", "alert",  "critical", "error",
                                    "warning",   "notice", "info",     "debug"};

const char *log_level_name(enum log_level level)
{
    return NAMES[level];
}

int log_level_read(const char *name, enum log_level *level_r)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            *level_r = (enum log_level)i;
            return 0;
        }
    }
    return -1;
}

/* RFC 3339 in UTC with milliseconds: such lines sort as text. */
static void add_time(struct buf *line)
{
    struct timespec now;
    struct tm utc;
    char text[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    buf_printf(line, "%s.%03ldZ ", text, now.tv_nsec / 1000000);
}

/* Bytes of 0x80 and up pass: they cannot end a line, and names may be in any language. */
static void add_escaped(struct buf *line, struct bytes message)
{
    for (size_t i = 0; i < message.n; i++) {
        unsigned char c = (unsigned char)message.p[i];
        if (c < 0x20 || c == 0x7f)
            buf_printf(line, "\\x%02x", c);
        else
            buf_addc(line, (char)c);
    }
}

void log_line(struct log *log, enum log_level level, const char *format, ...)
{
    if (!log || level > log->level) return;
    va_list args;
    va_start(args, format);
    char message[4096];
    int n = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (n < 0) return;
    size_t length = (size_t)n < sizeof message ? (size_t)n : sizeof message - 1;

    /* Gathered first: lines of two threads must not mix. */
    struct buf line = {0};
    add_time(&line);
    buf_printf(&line, "%s ", NAMES[level]);
    add_escaped(&line, (struct bytes){message, length});
    buf_addc(&line, '\n');
    fwrite(line.p, 1, line.n, log->out);
    fflush(log->out);
    buf_free(&line);
}
