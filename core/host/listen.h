/* Addresses to listen on, as operators write them. Names are not resolved here: what an address
 * means must not depend on somebody's DNS. */
#ifndef LUNASK_HOST_LISTEN_H
#define LUNASK_HOST_LISTEN_H

#include "base/bytes.h"
#include "base/error.h"

/* Reads "HOST:PORT", "[::1]:PORT" or "PORT" (on 127.0.0.1). Returns 0 with *host_r replaced (owned;
 * the old one is freed), or -1 with `error` and *host_r as it was. */
int listen_read(struct bytes text, char **host_r, int *port_r, struct error *error);

/* True for localhost, 127.0.0.0/8 and ::1; for no other name, whatever it resolves to. What is not
 * loopback needs allow_unauthenticated, as nobody has to log in. */
bool listen_is_loopback(const char *host);

#endif
