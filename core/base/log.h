/* The host's own log: one line an event on one stream, never standard output, which the stdio
 * transport of MCP keeps for messages (2025-11-25 basic/transports, "stdio").
 *
 *   2026-11-30T21:20:23.456Z warning book_meeting: handler failed (ref 8c1f): …
 *
 * Control characters in a message are written as \xNN, so that no script and no client can forge a
 * second line or drive a terminal.
 *
 * Which level: error for what the operator or a script's author must mend, warning for what
 * works but looks wrong (a keyword unknown, a requestState that does not open), notice for what the
 * host does of its own accord (starting, stopping, cutting off a client), info for what scripts
 * print, debug for what only helps to understand a network. */
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
    /* What is less severe than this is left out. Set before there are threads: nothing guards it.
     */
    enum log_level level;
};

/* Writes one line. Safe from any thread (one write to `out` a line). `log` may be NULL. A message
 * is cut at 4,095 bytes: a script may log what it likes. What cannot be written is lost; there is
 * nowhere else to say so. */
void log_line(struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "debug" … "emergency" */
const char *log_level_name(enum log_level level);

/* Reads such a name. Returns 0, or -1 if it is none. */
int log_level_read(const char *name, enum log_level *level_r);

#endif
