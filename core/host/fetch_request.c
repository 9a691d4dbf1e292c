#include "host/fetch_request.h"

#include "base/mem.h"
#include "host/fetch_head.h"
#include "script/grants.h"
#include "script/grants_http.h"
#include "wire/address.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The address is judged where it is used: between a look-up and a connection a name may change. */
static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *to)
{
    struct fetch_request *r = arg;
    if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
    if (!r->any_address && !address_is_public(&to->addr)) {
        r->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

static size_t take_body(char *data, size_t size, size_t n, void *arg)
{
    struct fetch_request *r = arg;
    r->too_large |= r->body.n + size * n > FETCH_BODY_BYTES;
    if (r->too_large) return 0;
    buf_add(&r->body, (struct bytes){data, size * n});
    return size * n;
}

/* A status line begins a head anew: before it were those of 1xx responses. */
static size_t take_header(char *data, size_t size, size_t n, void *arg)
{
    struct fetch_request *r = arg;
    struct bytes line = {data, size * n};
    if (bytes_starts(line, BYTES("HTTP/"))) {
        buf_clear(&r->head);
        return size * n;
    }
    r->too_large |= r->head.n + line.n > FETCH_HEAD_BYTES;
    if (r->too_large) return 0;
    buf_add(&r->head, line);
    return size * n;
}

static void set_defences(struct fetch_request *r)
{
    CURL *easy = r->easy;
    bool plain = bytes_starts(buf_bytes(&r->url), BYTES("http:"));
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, plain ? "http" : "https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROXY, ""); /* not even that of the environment */
    curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, r);
    /* A connection that is kept was judged by the grants of another script. */
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* Else cancelling waits on the loop for a look-up that is under way. */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
}

static void set_method(struct fetch_request *r)
{
    CURL *easy = r->easy;
    if (bytes_equal(r->method, BYTES("HEAD"))) {
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    } else if (r->order.body.p || bytes_equal(r->method, BYTES("POST"))) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->order.body.n);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, r->order.body.p ? r->order.body.p : "");
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, r->method.p);
    } else {
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, r->method.p);
    }
}

/* Sets everything anew, for the request and for each redirect. */
static void set_up(struct fetch_request *r)
{
    CURL *easy = r->easy;
    curl_easy_reset(easy);
    curl_slist_free_all(r->headers);
    r->headers = fetch_head_list(r->order.headers, r->foreign, r->order.body.p != NULL);
    buf_clear(&r->head);
    buf_clear(&r->body);
    r->too_large = r->refused = false;
    r->fault[0] = '\0';
    set_defences(r);
    set_method(r);
    curl_easy_setopt(easy, CURLOPT_URL, buf_text(&r->url));
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, r->headers);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)r->order.timeout_ms);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, r);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, r);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, r->fault);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, r);
}

static int check_method(struct bytes method, bool has_body, struct error *error)
{
    static const char *const bodied[] = {"POST", "PUT", "PATCH", "DELETE", NULL};
    for (const char *const *name = bodied; *name; name++)
        if (bytes_equal(method, bytes_of(*name))) return 0;
    if (!bytes_equal(method, BYTES("GET")) && !bytes_equal(method, BYTES("HEAD")))
        return error_set(error, "ctx:fetch: method must be GET, HEAD, POST, PUT, PATCH or DELETE");
    if (has_body) return error_set(error, "ctx:fetch: a %.*s has no body", BYTES_ARG(method));
    return 0;
}

/* Takes the URL if a grant covers it. */
static int go_to(struct fetch_request *r, struct bytes url, struct error *error)
{
    struct buf origin = {0};
    struct grant use = {.kind = GRANT_HTTP, .script = r->order.script};
    int result = grants_http_origin(url, "ctx:fetch", &origin, error);
    use.name = buf_bytes(&origin);
    const struct grant *grant = result == 0 ? grants_find(r->order.grants, &use, error) : NULL;
    if (grant) {
        r->any_address = grants_http_any_address(grant->name);
        buf_clear(&r->url);
        buf_add(&r->url, url);
    }
    buf_free(&origin);
    return grant ? 0 : -1;
}

static void copy_order(struct fetch_request *r, const struct service_fetch *order)
{
    r->order = *order;
    r->order.script = arena_copy(&r->arena, order->script);
    r->order.headers = arena_copy(&r->arena, order->headers);
    if (order->body.p) r->order.body = arena_copy(&r->arena, order->body);
    r->method = arena_copy(&r->arena, order->method);
}

struct fetch_request *fetch_request_new(const struct service_fetch *order, struct error *error)
{
    struct fetch_request *r = NULL;
    if (check_method(order->method, order->body.p != NULL, error) != 0) return NULL;
    if (order->body.n > FETCH_BODY_BYTES) {
        error_set(error, "ctx:fetch: a body has at most %d MiB", FETCH_BODY_BYTES / 1024 / 1024);
        return NULL;
    }
    if (fetch_head_check(order->headers, FETCH_HEAD_BYTES, error) != 0) return NULL;
    r = mem_alloc(sizeof *r);
    copy_order(r, order);
    r->easy = curl_easy_init();
    if (r->easy && go_to(r, order->url, error) == 0) {
        set_up(r);
        return r;
    }
    if (!r->easy) error_set(error, "ctx:fetch: there is no memory left");
    fetch_request_free(r);
    return NULL;
}

void fetch_request_free(struct fetch_request *r)
{
    if (!r) return;
    curl_easy_cleanup(r->easy);
    curl_slist_free_all(r->headers);
    buf_free(&r->url);
    buf_free(&r->head);
    buf_free(&r->body);
    arena_free(&r->arena);
    free(r);
}

static bool same_origin(struct bytes a, struct bytes b)
{
    struct buf first = {0}, second = {0};
    bool same = grants_http_origin(a, "", &first, NULL) == 0 &&
                grants_http_origin(b, "", &second, NULL) == 0 &&
                bytes_equal(buf_bytes(&first), buf_bytes(&second));
    buf_free(&first);
    buf_free(&second);
    return same;
}

/* RFC 9110, 15.4: what was sent is not sent again, but for 307 and 308. */
static void forget_body(struct fetch_request *r, long status)
{
    if (status == 307 || status == 308) return;
    if (!bytes_equal(r->method, BYTES("HEAD"))) r->method = BYTES("GET");
    r->order.body = (struct bytes){NULL, 0};
}

/* A 301 or 302 of what changes something may mean either method: that is for the script to know. */
static bool may_follow(const struct fetch_request *r, long status)
{
    if (status == 303 || status == 307 || status == 308) return true;
    return (status == 301 || status == 302) &&
           (bytes_equal(r->method, BYTES("GET")) || bytes_equal(r->method, BYTES("HEAD")) ||
            bytes_equal(r->method, BYTES("POST")));
}

bool fetch_request_redirect(struct fetch_request *r)
{
    char *location = NULL;
    long status = 0;
    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(r->easy, CURLINFO_REDIRECT_URL, &location);
    if (!location || r->redirects == FETCH_REDIRECTS) return false;
    if (!may_follow(r, status)) return false;
    struct bytes from = buf_bytes(&r->url), url = bytes_of(location);
    if (bytes_starts(from, BYTES("https:")) && !bytes_starts(url, BYTES("https:"))) return false;
    bool foreign = !same_origin(from, url);
    if (go_to(r, url, NULL) != 0) return false;
    r->foreign |= foreign;
    r->redirects++;
    forget_body(r, status);
    set_up(r);
    return true;
}

int fetch_request_answer(const struct fetch_request *r, CURLcode code, struct buf *out,
                         struct error *error)
{
    long status = 0;
    if (r->too_large)
        return error_set(error,
                         "ctx:fetch: the response is larger than %d MiB, or its head than "
                         "%d KiB",
                         FETCH_BODY_BYTES / 1024 / 1024, FETCH_HEAD_BYTES / 1024);
    if (code != CURLE_OK && r->refused)
        return error_set(error, "ctx:fetch: the name leads to an address that is not public; if "
                                "that is meant, grant it in host.lua as \"local NAME\"");
    if (code != CURLE_OK)
        return error_set(error, "ctx:fetch: %s", r->fault[0] ? r->fault : curl_easy_strerror(code));
    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    buf_printf(out, "{\"status\":%ld,\"headers\":", status);
    fetch_head_write((struct bytes){r->head.p, r->head.n}, out);
    buf_addz(out, "}\n");
    buf_add(out, (struct bytes){r->body.p, r->body.n});
    return 0;
}
