/* What the host says of itself over HTTP: GET /status and GET /metrics (host/status.h), for
 * `lunask status` and for Prometheus.
 *
 * They are for whoever runs the host, not for those it serves: the peer must be this machine, the
 * Host header one of loopback's names, and nothing may say that a proxy passed the request on; the
 * setting allow_remote_status lifts all three. Host and Origin are held to the rules of the
 * endpoint in any case (http_visit.h). */
#ifndef LUNASK_TRANSPORTS_HTTP_PAGE_H
#define LUNASK_TRANSPORTS_HTTP_PAGE_H

#include "transports/http_visit.h"

/* True if `path` is one of the pages. */
bool http_page_known(const char *path);

/* Judges a request for a page whose Host and Origin have passed. Returns the status to answer with
 * and fills `text`: with the page, whose type is then in v->page, or with why not. */
int http_page_judge(struct http_visit *v, const struct worker *worker,
                    struct MHD_Connection *connection, const char *path, const char *method,
                    struct buf *text);

#endif
