#include "transports/stdio_pipe.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static void on_ready(uv_idle_t *idle)
{
    struct stdio_pipe *p = idle->data;
    p->readable = true;
}

/* Only notes what there is: the next turn does the work. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct stdio_pipe *p = poll->data;
    struct epoll_event ready[2];
    (void)status;
    (void)events;
    int n = epoll_wait(p->epoll, ready, 2, 0);
    for (int i = 0; i < n; i++) {
        if (ready[i].data.fd == p->in)
            p->readable = true;
        else if (ready[i].events & (EPOLLERR | EPOLLHUP))
            p->broken = true;
    }
}

static int control(const struct stdio_pipe *p, int how, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};
    return epoll_ctl(p->epoll, how, fd, &event);
}

static void close_all(struct stdio_pipe *p)
{
    close(p->in);
    close(p->out);
    if (p->epoll >= 0) close(p->epoll);
}

/* EPERM is how epoll refuses a file. The output is watched for its reader's leaving alone, until
 * something waits to be written. */
static int add(struct stdio_pipe *p, struct error *error)
{
    p->in_is_file = control(p, EPOLL_CTL_ADD, p->in, EPOLLIN) != 0;
    if (p->in_is_file && errno != EPERM)
        return error_set(error, "cannot watch standard input: %s", strerror(errno));
    p->reads = !p->in_is_file;
    if (control(p, EPOLL_CTL_ADD, p->out, 0) != 0 && errno != EPERM)
        return error_set(error, "cannot watch standard output: %s", strerror(errno));
    return 0;
}

int stdio_pipe_open(struct stdio_pipe *p, uv_loop_t *loop, int in, int out, struct error *error)
{
    *p = (struct stdio_pipe){.in = in, .out = out};
    p->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (p->epoll < 0) {
        error_set(error, "cannot watch standard input: %s", strerror(errno));
        close_all(p);
        return -1;
    }
    if (add(p, error) != 0) {
        close_all(p);
        return -1;
    }
    uv_idle_init(loop, &p->ready);
    uv_poll_init(loop, &p->poll, p->epoll);
    p->ready.data = p->poll.data = p;
    uv_poll_start(&p->poll, UV_READABLE, on_poll);
    return 0;
}

/* A failure is an end, too: of a terminal that went away (EIO), of a reset socket. */
size_t stdio_pipe_read(struct stdio_pipe *p, char *to, size_t n)
{
    if (!p->readable || p->ended) return 0;
    p->readable = false;
    ssize_t got = read(p->in, to, n);
    if (got > 0) return (size_t)got;
    p->ended = got == 0 || (errno != EINTR && errno != EAGAIN);
    return 0;
}

size_t stdio_pipe_backlog(const struct stdio_pipe *p)
{
    return p->queue.n - p->sent;
}

static void forget(struct stdio_pipe *p)
{
    if (p->queue.cap > STDIO_PIPE_KEPT)
        buf_free(&p->queue);
    else
        buf_clear(&p->queue);
    p->sent = 0;
}

/* Moves what is left to the front once that is the smaller part: each byte moves once or so. */
static void compact(struct stdio_pipe *p)
{
    size_t left = stdio_pipe_backlog(p);
    if (p->sent == 0 || left > p->sent) return;
    memmove(p->queue.p, p->queue.p + p->sent, left);
    p->queue.n = left;
    p->sent = 0;
}

void stdio_pipe_send(struct stdio_pipe *p, struct bytes message)
{
    assert(!memchr(message.p, '\n', message.n)); /* it would be two */
    if (p->broken) return;
    if (stdio_pipe_backlog(p) > STDIO_PIPE_MOST) {
        p->broken = p->overrun = true;
        return;
    }
    compact(p);
    buf_add(&p->queue, message);
    buf_addc(&p->queue, '\n');
}

/* Asked each time: a write to a full pipe would stop the whole host. What is closed counts as
 * writable; the write says so. */
static bool is_writable(const struct stdio_pipe *p)
{
    struct pollfd out = {.fd = p->out, .events = POLLOUT};
    return poll(&out, 1, 0) == 1;
}

void stdio_pipe_flush(struct stdio_pipe *p)
{
    size_t left;
    while (!p->broken && (left = stdio_pipe_backlog(p)) > 0 && is_writable(p)) {
        size_t n = left < STDIO_PIPE_BLOCK ? left : STDIO_PIPE_BLOCK;
        ssize_t written = write(p->out, p->queue.p + p->sent, n);
        if (written > 0)
            p->sent += (size_t)written;
        else if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            p->broken = true;
    }
    if (p->broken || p->sent == p->queue.n) forget(p);
}

/* Taken out of the set rather than watched for nothing: a closed end is always told of. */
static void watch_input(struct stdio_pipe *p, bool on)
{
    if (p->in_is_file && on)
        uv_idle_start(&p->ready, on_ready);
    else if (p->in_is_file)
        uv_idle_stop(&p->ready);
    else if (on != p->reads)
        control(p, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, p->in, EPOLLIN);
    p->reads = on;
}

void stdio_pipe_watch(struct stdio_pipe *p, bool input)
{
    bool output = stdio_pipe_backlog(p) > 0 && !p->broken;
    watch_input(p, input && !p->ended);
    if (p->broken)
        control(p, EPOLL_CTL_DEL, p->out, 0);
    else if (output != p->writes)
        control(p, EPOLL_CTL_MOD, p->out, output ? EPOLLOUT : 0);
    p->writes = output;
}

void stdio_pipe_close(struct stdio_pipe *p, uv_close_cb closed, void *arg)
{
    p->ready.data = p->poll.data = arg;
    uv_close((uv_handle_t *)&p->poll, closed);
    uv_close((uv_handle_t *)&p->ready, closed);
    close_all(p);
    buf_free(&p->queue);
}
