#include "host/fetch.h"

#include "base/mem.h"
#include "host/fetch_request.h"

#include <stdlib.h>

struct fetch {
    uv_loop_t *loop;
    uv_timer_t timer;
    CURLM *multi;
    void (*closed)(void *arg);
    void *closed_arg;
};

/* A socket that libcurl waits for. */
struct watched {
    uv_poll_t poll;
    struct fetch *fetch;
    curl_socket_t socket;
};

/* Gives the response, or why there is none. */
static void finish(struct fetch_request *r, CURLcode code)
{
    struct service_fetch order = r->order;
    struct buf answer = {0};
    struct error error;
    int result = fetch_request_answer(r, code, &answer, &error);
    order.done(order.arg, result == 0 ? buf_bytes(&answer) : (struct bytes){NULL, 0},
               result == 0 ? NULL : error.text);
    buf_free(&answer);
    fetch_request_free(r);
}

/* libcurl must not be called by what it calls itself, so ends are looked for afterwards. */
static void look_for_ends(struct fetch *f)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(f->multi, &left))) {
        struct fetch_request *r = NULL;
        CURLcode code = message->data.result;
        if (message->msg != CURLMSG_DONE) continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &r);
        curl_multi_remove_handle(f->multi, r->easy);
        if (code == CURLE_OK && fetch_request_redirect(r) &&
            curl_multi_add_handle(f->multi, r->easy) == CURLM_OK)
            continue;
        finish(r, code);
    }
}

static void on_timer(uv_timer_t *timer)
{
    struct fetch *f = timer->data;
    int running;
    curl_multi_socket_action(f->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    look_for_ends(f);
}

/* Not even with 0 ms from inside: libcurl is in the middle of something. */
static int set_timer(CURLM *multi, long timeout_ms, void *arg)
{
    struct fetch *f = arg;
    (void)multi;
    if (timeout_ms < 0)
        uv_timer_stop(&f->timer);
    else
        uv_timer_start(&f->timer, on_timer, (uint64_t)timeout_ms, 0);
    return 0;
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
    struct watched *w = poll->data;
    struct fetch *f = w->fetch;
    int flags = status < 0 ? CURL_CSELECT_ERR : 0;
    int running;
    if (events & UV_READABLE) flags |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE) flags |= CURL_CSELECT_OUT;
    curl_multi_socket_action(f->multi, w->socket, flags, &running);
    look_for_ends(f);
}

static void free_watched(uv_handle_t *handle)
{
    free(handle->data);
}

static struct watched *watch(struct fetch *f, curl_socket_t socket)
{
    struct watched *w = mem_alloc(sizeof *w);
    w->fetch = f;
    w->socket = socket;
    if (uv_poll_init_socket(f->loop, &w->poll, socket) != 0) {
        free(w);
        return NULL;
    }
    w->poll.data = w;
    curl_multi_assign(f->multi, socket, w);
    return w;
}

static int set_socket(CURL *easy, curl_socket_t socket, int what, void *arg, void *known)
{
    struct watched *w = known;
    int events = 0;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (!w) return 0;
        curl_multi_assign(w->fetch->multi, socket, NULL);
        uv_poll_stop(&w->poll);
        uv_close((uv_handle_t *)&w->poll, free_watched);
        return 0;
    }
    if (!w) w = watch(arg, socket);
    if (!w) return -1;
    if (what & CURL_POLL_IN) events |= UV_READABLE;
    if (what & CURL_POLL_OUT) events |= UV_WRITABLE;
    return uv_poll_start(&w->poll, events, on_socket) == 0 ? 0 : -1;
}

struct fetch *fetch_new(uv_loop_t *loop)
{
    struct fetch *f = mem_alloc(sizeof *f);
    f->loop = loop;
    uv_timer_init(loop, &f->timer);
    f->timer.data = f;
    f->multi = curl_multi_init();
    curl_multi_setopt(f->multi, CURLMOPT_SOCKETFUNCTION, set_socket);
    curl_multi_setopt(f->multi, CURLMOPT_SOCKETDATA, f);
    curl_multi_setopt(f->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(f->multi, CURLMOPT_TIMERDATA, f);
    return f;
}

void *fetch_start(void *fetch, const struct service_fetch *order, struct error *error)
{
    struct fetch *f = fetch;
    struct fetch_request *r = fetch_request_new(order, error);
    if (!r) return NULL;
    if (curl_multi_add_handle(f->multi, r->easy) == CURLM_OK) return r;
    error_set(error, "ctx:fetch: the host can't begin another request");
    fetch_request_free(r);
    return NULL;
}

void fetch_cancel(void *fetch, void *request)
{
    struct fetch_request *r = request;
    curl_multi_remove_handle(((struct fetch *)fetch)->multi, r->easy);
    fetch_request_free(r);
}

static void on_closed(uv_handle_t *handle)
{
    struct fetch *f = handle->data;
    f->closed(f->closed_arg);
    free(f);
}

void fetch_close(struct fetch *f, void (*closed)(void *arg), void *arg)
{
    f->closed = closed;
    f->closed_arg = arg;
    curl_multi_cleanup(f->multi);
    uv_close((uv_handle_t *)&f->timer, on_closed);
}
