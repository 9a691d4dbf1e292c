#include "host/listen.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PORT_MOST = 65535 };

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

int listen_read(struct bytes text, char **host_r, int *port_r, struct error *error)
{
    const char *colon = text.n ? memrchr(text.p, ':', text.n) : NULL;
    struct bytes host = {text.p, colon ? (size_t)(colon - text.p) : 0};
    struct bytes port = colon ? (struct bytes){colon + 1, text.n - host.n - 1} : text;
    if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = (struct bytes){host.p + 1, host.n - 2};
    if (read_port(port, port_r) != 0 || (colon && host.n == 0))
        return error_set(error, "listen: '%.*s' is not HOST:PORT (such as 127.0.0.1:3000)",
                         BYTES_ARG(text));
    free(*host_r);
    *host_r = mem_copy(colon ? host : BYTES("127.0.0.1"));
    return 0;
}

bool listen_is_loopback(const char *host)
{
    return strcmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 ||
           strcmp(host, "::1") == 0;
}
