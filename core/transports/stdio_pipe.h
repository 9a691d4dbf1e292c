/* The two ends of a stdio channel: bytes in, lines out, under the worker's loop.
 *
 * The descriptors may be pipes, sockets, terminals or files, and others may share them (a terminal
 * is the shell's too), so O_NONBLOCK, which is a property of what is shared, is never set on them.
 * Instead they are read when epoll says that there is something to read, and written a
 * STDIO_PIPE_BLOCK at a time when there is room for that much. Files, which epoll does not take,
 * are always ready.
 *
 *   a turn of the loop:   read … flush → watch → the loop sleeps → something is ready
 */
#ifndef LUNASK_TRANSPORTS_STDIO_PIPE_H
#define LUNASK_TRANSPORTS_STDIO_PIPE_H

#include "base/buf.h"
#include "base/error.h"

#include <limits.h>
#include <uv.h>

enum {
    STDIO_PIPE_BLOCK = PIPE_BUF, /* a pipe or socket that takes anything takes that much */
    STDIO_PIPE_MOST = 64 << 20, /* bytes that may wait to be written; then the client is given up */
    STDIO_PIPE_KEPT = 64 * 1024, /* bytes of memory that an empty queue holds on to */
};

struct stdio_pipe {
    int in, out, epoll;
    uv_poll_t poll;  /* of `epoll` */
    uv_idle_t ready; /* input is a file */
    bool in_is_file, reads, writes;
    bool readable; /* there is something, or the end */
    bool ended;    /* nothing more will come */
    bool broken;   /* nobody reads any more */
    bool overrun;  /* as broken, because too much was waiting */
    struct buf queue;
    size_t sent; /* bytes of `queue` already written */
};

/* Takes both descriptors, also when it fails. Returns -1 with `error`. */
int stdio_pipe_open(struct stdio_pipe *p, uv_loop_t *loop, int in, int out, struct error *error);

/* Reads at most `n` bytes if there are any, without waiting. Returns how many; 0 sets `ended` at
 * the end. */
size_t stdio_pipe_read(struct stdio_pipe *p, char *to, size_t n);

/* Adds a message and its newline to what waits to be written. Dropped once `broken`; which it
 * becomes if more than STDIO_PIPE_MOST are waiting already. */
void stdio_pipe_send(struct stdio_pipe *p, struct bytes message);

/* Writes what can be written without waiting. Sets `broken` if the other end is closed. */
void stdio_pipe_flush(struct stdio_pipe *p);

/* The bytes not yet written. */
size_t stdio_pipe_backlog(const struct stdio_pipe *p);

/* Has the loop wake up when there is input, if `input` says so, and when what waits can be written;
 * always when the reader of the output is gone. */
void stdio_pipe_watch(struct stdio_pipe *p, bool input);

/* Closes both; calls `closed` for each of its two handles, with their `data` set to `arg`. */
void stdio_pipe_close(struct stdio_pipe *p, uv_close_cb closed, void *arg);

#endif
