/* The listening socket. */
#ifndef LUNASK_TRANSPORTS_HTTP_LISTEN_H
#define LUNASK_TRANSPORTS_HTTP_LISTEN_H

#include "base/error.h"

/* Returns a listening, non-blocking socket, or -1 with an error that names address and reason
 * ("127.0.0.1:3000 is already in use; stop the other program or choose another --listen").
 *
 * `host` is an IPv4 or IPv6 address (in brackets or not) or "localhost", which is 127.0.0.1; names
 * are not looked up, so that nobody's DNS decides where we are reachable. Port 0 takes any. */
int http_listen(const char *host, int port, struct error *error);

#endif
