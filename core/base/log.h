/* The host's own log: one line an event on one stream, never standard output.
 *
 *   2026-11-30T21:20:23.456Z warning book_meeting: handler failed (ref 8c1f): …
 *
 * Control characters in a message are written as \xNN, so that no script and no
 * client can forge a second line or drive a terminal. */
#ifndef LUNASK_BASE_LOG_H
#define LUNASK_BASE_LOG_H

#include <stdio.h>

/* Severities of RFC 5424, worst first, as MCP names them. */
enum log_level {
    LOG_EMERGENCY,
    LOG_ALERT,
    LOG_CRITICAL,
    LOG_ERROR,
    LOG_WARNING,
    LOG_NOTICE,
    LOG_INFO,
    LOG_DEBUG,
};

struct log {
    FILE *out;
    enum log_level level; /* what is less severe than this is left out */
};

/* Writes one line. Safe from any thread (one write to `out` a line). `log` may be NULL. */
void log_line(struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "debug" … "emergency" */
const char *log_level_name(enum log_level level);

/* Reads such a name. Returns 0, or -1 if it is none. */
int log_level_read(const char *name, enum log_level *level_r);

#endif
