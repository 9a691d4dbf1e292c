/* One request that a script makes with ctx:fetch, as libcurl is told of it, and its response.
 *
 * Checked here: what goes out (method, header names and values, sizes) and what comes in (sizes).
 * Where it may go is checked at each step: the URL and every redirect against the script's grants,
 * and the address of every connection as it is made, so that no name, however it resolves, leads
 * where it must not. Nothing of the environment has a say: no proxy, no .netrc, no cookies. */
#ifndef LUNASK_HOST_FETCH_REQUEST_H
#define LUNASK_HOST_FETCH_REQUEST_H

#include "call/service.h"

#include <curl/curl.h>

enum {
    FETCH_BODY_BYTES = 4 * 1024 * 1024, /* of a body, either way */
    FETCH_HEAD_BYTES = 64 * 1024,       /* of headers, either way */
    FETCH_REDIRECTS = 3,
};

struct fetch_request {
    struct service_fetch order; /* its views point into `arena` */
    struct arena arena;
    CURL *easy;
    struct curl_slist *headers;
    struct bytes method;
    struct buf url;   /* where it goes now */
    bool any_address; /* its grant is for an address, or says "local" */
    bool refused;     /* an address was not public */
    bool too_large;   /* the response */
    bool foreign;     /* a redirect led to another origin: only harmless headers go along */
    int redirects;    /* followed so far */
    struct buf head;  /* of the response: lines of "name: value" */
    struct buf body;
    char fault[CURL_ERROR_SIZE];
};

/* Makes the request, copying `order`. Returns owned; or NULL with `error`, which is for the
 * script's author. */
struct fetch_request *fetch_request_new(const struct service_fetch *order, struct error *error);
void fetch_request_free(struct fetch_request *r);

/* After a response: makes `easy` ready to follow its redirect and returns true, if there is one
 * that may be followed. One that may not is the response. */
bool fetch_request_redirect(struct fetch_request *r);

/* Adds {"status":…,"headers":{…}}, a line break and the body to `out`; or returns -1 with `error`
 * if `code` says that there was no response. */
int fetch_request_answer(const struct fetch_request *r, CURLcode code, struct buf *out,
                         struct error *error);

#endif
