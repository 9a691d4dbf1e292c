/* stdio: one client, whose messages come on one descriptor and whose replies go out on another, one
 * a line (2026-07-28 transports/stdio; 2025-11-25 basic/transports, "stdio").
 *
 * Words. **channel**: all of it; every exchange of the client is on it. **visit**: one message that
 * is under way. Both eras may be spoken on it, each message says which. The legacy session, which
 * nobody names here, is that of the channel's last initialize; its stream, on which the client
 * hears of changes, is open as long as the session.
 *
 * What comes back: replies, events of every open stream, and nothing else. Nothing is said to a
 * notification or a response, whatever is wrong with it. What is no JSON, or a line over
 * body_limit, gets an error without an id (MCP has no null ids), and the next line is read as ever.
 *
 * A client that doesn't read is not read from either: from STDIO_BACKLOG on its messages wait in
 * the pipe. What is said to it all the same, because of changes and of calls that have begun, may
 * add up to STDIO_PIPE_MOST; then it is given up.
 *
 * Everything runs on the thread of the loop. Legal order: new; quiesce once the host is to stop;
 * free when stdio_idle says so, or when waiting for that has taken too long. */
#ifndef LUNASK_TRANSPORTS_STDIO_H
#define LUNASK_TRANSPORTS_STDIO_H

#include "host/worker.h"

struct stdio;

enum { STDIO_BACKLOG = 1 << 20 }; /* bytes a client may be behind and still be read from */

/* Serves the channel, whose descriptors it takes (also when it fails), on the worker's loop. Calls
 * `gone(arg)` once, from the loop, when the client is: it has closed one of them; nothing is read
 * then any more, and what is replied still goes out if it can. Returns owned, or NULL with
 * `error`. */
struct stdio *stdio_new(uv_loop_t *loop, struct worker *worker, int in, int out,
                        void (*gone)(void *arg), void *arg, struct error *error);

/* Reads no more messages. */
void stdio_quiesce(struct stdio *s);

/* True when nothing waits to be written. */
bool stdio_idle(const struct stdio *s);

/* Closes the channel. The loop must run once more before it is closed. */
void stdio_free(struct stdio *s);

#endif
