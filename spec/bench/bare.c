/* The yardstick of the bench: libmicrohttpd alone, driven the way lunask drives it (its epoll under
 * a libuv loop), reading the body of each POST and answering one constant JSON text.
 *
 * usage: bare BYTES     answers BYTES bytes; prints the port it got on 127.0.0.1 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

enum { BACKLOG = 511, SMALLEST = 16, LARGEST = 1 << 20 };

struct bare {
    uv_loop_t loop;
    uv_poll_t epoll;
    uv_timer_t timer;
    uv_signal_t term;
    struct MHD_Daemon *daemon;
    struct MHD_Response *reply;
};

static enum MHD_Result answer(void *data, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_n, void **request)
{
    struct bare *bare = data;
    (void)url;
    (void)method;
    (void)version;
    (void)upload;
    if (!*request) {
        *request = bare; /* marks a request whose headers were met */
        return MHD_YES;
    }
    if (*upload_n > 0) {
        *upload_n = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, bare->reply);
}

static void run(struct bare *bare);

static void on_timer(uv_timer_t *timer)
{
    run(timer->data);
}

static void on_epoll(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    run(poll->data);
}

static void run(struct bare *bare)
{
    MHD_UNSIGNED_LONG_LONG wait;
    MHD_run(bare->daemon);
    if (MHD_get_timeout(bare->daemon, &wait) == MHD_YES)
        uv_timer_start(&bare->timer, on_timer, wait, 0);
    else
        uv_timer_stop(&bare->timer);
}

static void on_term(uv_signal_t *signal, int number)
{
    (void)number;
    uv_stop(signal->loop);
}

static int listen_anywhere(int *port_r)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        close(fd);
        return -1;
    }
    *port_r = ntohs(address.sin_port);
    return fd;
}

/* Returns a reply of `n` bytes, {"text":"xxx…"}, owned, or NULL. */
static struct MHD_Response *make_reply(size_t n)
{
    static const char head[] = "{\"text\":\"";
    struct MHD_Response *reply;
    char *text = malloc(n);
    if (!text) return NULL;
    memset(text, 'x', n);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + n - 2, "\"}", 2);
    reply = MHD_create_response_from_buffer(n, text, MHD_RESPMEM_MUST_FREE);
    if (reply) MHD_add_response_header(reply, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    return reply;
}

static int start(struct bare *bare, int fd)
{
    const union MHD_DaemonInfo *info;
    bare->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer,
                                    bare, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_END);
    if (!bare->daemon) return -1;
    info = MHD_get_daemon_info(bare->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (!info || uv_loop_init(&bare->loop) != 0) return -1;
    uv_poll_init(&bare->loop, &bare->epoll, info->epoll_fd);
    uv_timer_init(&bare->loop, &bare->timer);
    uv_signal_init(&bare->loop, &bare->term);
    bare->epoll.data = bare->timer.data = bare;
    uv_poll_start(&bare->epoll, UV_READABLE, on_epoll);
    uv_signal_start(&bare->term, on_term, SIGTERM);
    return 0;
}

int main(int argc, char **argv)
{
    struct bare bare = {0};
    char *end = NULL;
    long n = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    int port = 0;
    int fd;
    if (!end || *end || n < SMALLEST || n > LARGEST) {
        fprintf(stderr, "usage: bare BYTES (the size of the reply, %d to %d)\n", SMALLEST, LARGEST);
        return 2;
    }
    bare.reply = make_reply((size_t)n);
    fd = listen_anywhere(&port);
    if (!bare.reply || fd < 0 || start(&bare, fd) != 0) {
        perror("bare: cannot start");
        return 1;
    }
    printf("%d\n", port);
    fflush(stdout);
    uv_run(&bare.loop, UV_RUN_DEFAULT);
    MHD_stop_daemon(bare.daemon);
    MHD_destroy_response(bare.reply);
    return 0;
}
