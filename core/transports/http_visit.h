/* What the headers of a request say, and whether it may come in.
 *
 * Judged before the body is read, so that a stranger's upload costs nothing. A refusal is plain
 * text for whoever configures client, proxy or host, and no JSON-RPC: no message was read that it
 * could answer.
 *
 *   431  headers too large                     413  Content-Length over body_limit
 *   404  nothing is there                      406  Accept admits nothing we could send
 *   403  Host or Origin is not allowed         415  not application/json
 *   405  another method                        204  a preflight (CORS) */
#ifndef LUNASK_TRANSPORTS_HTTP_VISIT_H
#define LUNASK_TRANSPORTS_HTTP_VISIT_H

#include "host/worker.h"

struct MHD_Connection;

enum {
    HTTP_VISIT_HEADER_BYTES = 32 * 1024, /* request line and headers in all */
    HTTP_VISIT_KEPT = 8,
};

struct http_field {
    struct bytes name, value;
};

/* Views live as long as the request. A header that is missing is {NULL, 0}. */
struct http_visit {
    struct bytes origin, host, content_type, content_length, requested_headers;
    unsigned origins, hosts, content_types; /* how many of the header there were */
    bool accept;                            /* there was one; several are added up */
    bool admits_json, admits_events;
    bool chunked;       /* Transfer-Encoding: a Content-Length beside it means nothing */
    bool expects;       /* waits for leave before it sends its body */
    bool allowed;       /* origin and host passed: http_visit_judge */
    const char *page;   /* the answer is a page of this type (http_page.h), not a refusal */
    struct bytes token; /* of a browser that calls back; {NULL, 0}: any other request */
    struct http_field kept[HTTP_VISIT_KEPT]; /* the first whose names begin with "Mcp-" */
    unsigned mcp; /* how many such there were; what is not kept is looked for */
};

/* Reads the headers in one pass. */
void http_visit_read(struct http_visit *v, struct MHD_Connection *connection);

/* Returns the value of one header as struct channel_ops has it. Cheap for one that begins with
 * "Mcp-"; for others it walks the headers each time. */
struct bytes http_visit_header(const struct http_visit *v, struct MHD_Connection *connection,
                               const char *name);

/* Returns 0 if the body may be read; else the HTTP status to answer with, `why` filled with the
 * text a person can act on, and nothing of the request may be used. 204 is a preflight, 200 a page
 * of the host itself, whose text is in `why`.
 *
 * The order is: size, path, host, origin, method, type of the body, types accepted, length. */
int http_visit_judge(struct http_visit *v, struct worker *worker, struct MHD_Connection *connection,
                     const char *path, const char *method, struct buf *why);

/* Returns true if the client may send the whole of a body that nobody will read, so that the
 * connection can go on after a refusal. */
bool http_visit_can_discard(const struct http_visit *v, int64_t body_limit);

#endif
