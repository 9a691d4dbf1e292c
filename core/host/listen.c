#include "host/listen.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PORT_MOST = 65535 };

/* Five digits at most, so that the port cannot overflow. */
static int read_port(struct bytes text, int *port_r)
{
    int port = 0;
    if (text.n < 1 || text.n > 5) return -1;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9') return -1;
        port = port * 10 + (text.p[i] - '0');
    }
    if (port > PORT_MOST) return -1;
    *port_r = port;
    return 0;
}

/* True if `text` holds a control character, a space or one of `set`: no host does. */
static bool has_any(struct bytes text, const char *set)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] <= ' ' || strchr(set, text.p[i])) return true;
    return false;
}

/* Takes the brackets off an IPv6 address. Returns -1 for what is no host: an address without them
 * could as well end in the port. */
static int read_host(struct bytes *host)
{
    bool bracketed = host->n > 2 && host->p[0] == '[' && host->p[host->n - 1] == ']';
    if (!bracketed) return host->n == 0 || has_any(*host, "[]:/@") ? -1 : 0;
    *host = (struct bytes){host->p + 1, host->n - 2};
    return has_any(*host, "[]/@") || !memchr(host->p, ':', host->n) ? -1 : 0;
}

int listen_read(struct bytes text, char **host_r, int *port_r, struct error *error)
{
    /* The last colon: those of an IPv6 address are inside its brackets. */
    const char *colon = text.n ? memrchr(text.p, ':', text.n) : NULL;
    struct bytes host = BYTES("127.0.0.1"), port = text;
    if (colon) {
        host = (struct bytes){text.p, (size_t)(colon - text.p)};
        port = (struct bytes){colon + 1, text.n - host.n - 1};
    }
    if (read_host(&host) != 0 || read_port(port, port_r) != 0)
        return error_set(error,
                         "listen: '%.*s' is not HOST:PORT (such as 127.0.0.1:3000 or [::1]:3000)",
                         BYTES_ARG(text));
    free(*host_r);
    *host_r = mem_copy(host);
    return 0;
}

bool listen_is_loopback(const char *host)
{
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, host, &v4) == 1) return ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
    if (inet_pton(AF_INET6, host, &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
    return strcasecmp(host, "localhost") == 0;
}
