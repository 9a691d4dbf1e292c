/* One HTTP request: from its headers to the last byte of its reply.
 *
 * It is the exchange's channel, and the one place that suspends and resumes its connection.
 *
 *   READING  its body arrives; behind a refusal it is thrown away
 *   FEEDING  worker_feed is on the stack
 *   WAITING  fed and unanswered; the connection is suspended, a watch waits for the client to leave
 *   READY    answered, and resumed: libmicrohttpd is about to ask for the response
 *   SENDING  libmicrohttpd has the response; a stream with nothing to send is suspended again
 *
 *   READING ─→ FEEDING ─┬─ replied at once ────────→ SENDING
 *      │                └─→ WAITING ─ wake ─→ READY ──┘  ↑
 *      └─ refused ───────────────────────────────────────┘
 *
 * What happens when the client leaves:
 *   READING  libmicrohttpd notices, or the sweep; nobody knows of the exchange yet
 *   FEEDING  nothing can be noticed; the next state does
 *   WAITING  the watch tells the exchange, and resumes; the request then asks to be dropped
 *   READY    as SENDING
 *   SENDING  a whole reply: libmicrohttpd notices, the exchange has ended and is not told;
 *            a stream: the watch tells the exchange, and resumes; the reader ends with an error
 *
 * In every state libmicrohttpd calls http_request_end once, last; that alone frees, so whatever the
 * host does with its exchange until then finds it alive. */
#ifndef LUNASK_TRANSPORTS_HTTP_REQUEST_H
#define LUNASK_TRANSPORTS_HTTP_REQUEST_H

#include "host/worker.h"
#include "transports/http_linger.h"
#include "transports/http_loop.h"
#include "transports/http_watch.h"

struct http_request;

/* What the requests of one daemon share. */
struct http_site {
    struct worker *worker;
    const struct settings *settings;
    struct http_loop loop;
    struct http_watches watches;
    struct http_lingers lingers;
    struct http_request *requests; /* the open ones */
    bool quiesced;                 /* replies end their connections */
};

/* The first line of a request, as libmicrohttpd has it. */
struct http_line {
    const char *path; /* decoded, without the query */
    const char *method;
};

/* Returns a request whose headers are there; its body follows through http_request_body. It belongs
 * to libmicrohttpd's callbacks, which end it with http_request_end. Returns false in *go_on_r if
 * the connection must be dropped. One that is refused is a request, too. */
struct http_request *http_request_begin(struct http_site *site, struct MHD_Connection *connection,
                                        struct http_watch *watch, const struct http_line *line,
                                        bool *go_on_r);

/* Takes a piece of the body. Returns false if the connection must be dropped. */
bool http_request_body(struct http_request *r, struct bytes piece);

/* The body is whole, or the connection was resumed: answers, or suspends the connection. Returns
 * false if the connection must be dropped. */
bool http_request_go_on(struct http_request *r);

/* libmicrohttpd is done with the request. Takes it. */
void http_request_end(struct http_request *r);

/* Sends the comment that keeps silent streams open. */
void http_request_keep_alive(struct http_site *site);

/* Resumes every suspended connection, as libmicrohttpd demands before it is stopped. */
void http_request_release_all(struct http_site *site);

#endif
