/* Which addresses are of the public internet: what a script that may fetch from a name is kept to,
 * whatever the name resolves to. */
#ifndef LUNASK_WIRE_ADDRESS_H
#define LUNASK_WIRE_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/* Returns false for what leads to this machine, its networks or nowhere in particular (IANA's
 * registries of special-purpose addresses): loopback, private, link-local, shared (RFC 6598),
 * multicast, unspecified, documentation, reserved; for every IPv6 address that wraps an IPv4 one
 * (mapped, NAT64, 6to4, Teredo); and for any other family. */
bool address_is_public(const struct sockaddr *address);

#endif
