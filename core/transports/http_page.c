#include "transports/http_page.h"

#include "host/listen.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

bool http_page_known(const char *path)
{
    return worker_page(NULL, path, NULL) != NULL;
}

/* An IPv4 address may come as an IPv6 one where a socket takes both. */
static bool is_near(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    char text[INET6_ADDRSTRLEN] = "";
    const char *host = text;
    if (address && address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, text,
                  sizeof text);
    else if (address && address->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, text,
                  sizeof text);
    if (strncmp(text, "::ffff:", 7) == 0) host += 7;
    return listen_is_loopback(host);
}

static bool was_forwarded(const struct http_visit *v, struct MHD_Connection *connection)
{
    static const char *const SIGNS[] = {"Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
                                        "X-Real-IP", "Via"};
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++)
        if (http_visit_header(v, connection, SIGNS[i]).p) return true;
    return false;
}

int http_page_judge(struct http_visit *v, const struct worker *worker,
                    struct MHD_Connection *connection, const char *path, const char *method,
                    struct buf *text)
{
    bool open = worker_settings(worker)->allow_remote_status;
    if (!open &&
        (!is_near(connection) || !worker_names_loopback(v->host) || was_forwarded(v, connection))) {
        buf_printf(text,
                   "Forbidden: %s is for this machine alone; to show it to others, set "
                   "allow_remote_status = true in the config",
                   path);
        return MHD_HTTP_FORBIDDEN;
    }
    if (strcmp(method, "GET") != 0) {
        buf_printf(text, "Method Not Allowed: use GET for %s", path);
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    v->page = worker_page(worker, path, text);
    return MHD_HTTP_OK;
}
