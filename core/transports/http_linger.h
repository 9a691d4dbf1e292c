/* Reads on what a client still sends after it was refused in the middle of its body.
 *
 * Closing such a socket at once resets the connection, and a client that is busy sending then sees
 * the reset, not the refusal: of 30 uploads by Node's fetch, 24 and more ended in EPIPE instead of
 * 413. So the sending side is closed, and what comes is thrown away for a while. */
#ifndef LUNASK_TRANSPORTS_HTTP_LINGER_H
#define LUNASK_TRANSPORTS_HTTP_LINGER_H

#include <uv.h>

enum {
    HTTP_LINGER_MS = 2000,        /* in all, however much still comes */
    HTTP_LINGER_BYTES = 64 << 20, /* of one client: an upload that is worth its answer */
    HTTP_LINGER_SOCKETS = 64,     /* at once; those over it are closed at once */
};

struct http_linger;

/* The sockets of one daemon that are being read on. They are no connections of libmicrohttpd's any
 * more, so its limit does not count them; HTTP_LINGER_SOCKETS does. */
struct http_lingers {
    uv_loop_t *loop;
    struct http_linger *first;
    unsigned n;
};

/* Reads on from `fd`, of which it makes a copy: `fd` may be closed after. */
void http_linger_begin(struct http_lingers *all, int fd);

/* Closes all of them. `all` may be freed at once. */
void http_linger_end_all(struct http_lingers *all);

#endif
