#include "transports/http_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } to;
    socklen_t size;
    char text[INET6_ADDRSTRLEN + 16]; /* "127.0.0.1:3000", "[::1]:3000": for error texts */
};

/* Copies `host` without brackets. Returns -1 if it cannot be an address. */
static int bare_host(const char *host, char *bare, size_t size)
{
    size_t n = strlen(host);
    if (n >= 2 && host[0] == '[' && host[n - 1] == ']') {
        host++;
        n -= 2;
    }
    if (n == 0 || n >= size) return -1;
    memcpy(bare, host, n);
    bare[n] = '\0';
    return 0;
}

static int read_address(const char *host, int port, struct address *a, struct error *error)
{
    char bare[INET6_ADDRSTRLEN];

    if (port < 0 || port > 65535)
        return error_set(error, "%d is no port; choose one from 1 to 65535, or 0 for any", port);
    *a = (struct address){0};
    if (strcmp(host, "localhost") == 0) host = "127.0.0.1";
    if (bare_host(host, bare, sizeof bare) != 0) goto bad;
    if (inet_pton(AF_INET, bare, &a->to.v4.sin_addr) == 1) {
        a->to.v4.sin_family = AF_INET;
        a->to.v4.sin_port = htons((uint16_t)port);
        a->size = sizeof a->to.v4;
        snprintf(a->text, sizeof a->text, "%s:%d", bare, port);
        return 0;
    }
    if (inet_pton(AF_INET6, bare, &a->to.v6.sin6_addr) == 1) {
        a->to.v6.sin6_family = AF_INET6;
        a->to.v6.sin6_port = htons((uint16_t)port);
        a->size = sizeof a->to.v6;
        snprintf(a->text, sizeof a->text, "[%s]:%d", bare, port);
        return 0;
    }
bad:
    return error_set(error, "\"%.200s\" is no address; use localhost or an IP address in --listen",
                     host);
}

/* Says what the operator can do about the usual reasons. */
static int explain(const struct address *a, int reason, struct error *error)
{
    switch (reason) {
    case EADDRINUSE:
        return error_set(error,
                         "%s is already in use; stop the other program or choose another --listen",
                         a->text);
    case EACCES:
        return error_set(error, "%s needs a privilege; choose a port from 1024 up in --listen",
                         a->text);
    case EADDRNOTAVAIL:
        return error_set(error, "%s is no address of this machine; choose another --listen",
                         a->text);
    case EAFNOSUPPORT:
        return error_set(error, "%s: this machine has no such addresses; choose another --listen",
                         a->text);
    default:
        return error_set(error, "cannot listen on %s: %s", a->text, strerror(reason));
    }
}

int http_listen(const char *host, int port, struct error *error)
{
    struct address a = {0};
    int yes = 1;
    int fd;

    if (read_address(host, port, &a, error) != 0) return -1;
    fd = socket(a.to.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return explain(&a, errno, error);
    /* SO_REUSEADDR: connections of the host before may still be in TIME_WAIT, and a restart must
     * not wait for them. On Linux it lets nobody share a port that is being listened on. */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, &a.to.any, a.size) != 0 || listen(fd, SOMAXCONN) != 0) {
        explain(&a, errno, error);
        close(fd);
        return -1;
    }
    return fd;
}
