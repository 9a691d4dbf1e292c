/* Preloaded into a host, it makes writes to the store's files fail.
 *
 * LUNASK_FAULT is the path of the store. The file PATH.fault, while it is there, says which of the
 * writes fail that come after it has changed: "SEQUENCE KIND FROM TO", counted from 1. KIND is
 * enospc, eio, eintr or short (half of it is written; what writes no bytes succeeds). Each fault
 * that was made leaves SEQUENCE in PATH.fired. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { PATH_BYTES = PATH_MAX + 16 };

struct plan {
    long sequence, from, to;
    char kind[16];
};

/* As many as there are places in a preloaded library for what must last: none but here. */
static struct {
    long sequence, count;
} seen;

static bool is_store(int fd, const char *store)
{
    char link[64], path[PATH_BYTES];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return false;
    path[n] = '\0';
    size_t head = strlen(store);
    const char *rest = path + head;
    return strncmp(path, store, head) == 0 &&
           (*rest == '\0' || strcmp(rest, "-wal") == 0 || strcmp(rest, "-shm") == 0);
}

static bool read_plan(const char *store, struct plan *plan)
{
    char path[PATH_BYTES], text[128];
    snprintf(path, sizeof path, "%s.fault", store);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return sscanf(text, "%ld %15s %ld %ld", &plan->sequence, plan->kind, &plan->from, &plan->to) ==
           4;
}

static void note(const char *store, long sequence)
{
    char path[PATH_BYTES], text[32];
    snprintf(path, sizeof path, "%s.fired", store);
    int n = snprintf(text, sizeof text, "%ld", sequence);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return;
    if (syscall(SYS_write, fd, text, (size_t)n) != n) abort();
    close(fd);
}

/* Returns what is to go wrong, or "" */
static const char *fault(int fd, struct plan *plan)
{
    const char *store = getenv("LUNASK_FAULT");
    if (!store || !is_store(fd, store) || !read_plan(store, plan)) return "";
    if (plan->sequence != seen.sequence) {
        seen.sequence = plan->sequence;
        seen.count = 0;
    }
    seen.count++;
    if (seen.count < plan->from || seen.count > plan->to) return "";
    note(store, plan->sequence);
    return plan->kind;
}

/* Returns true, with errno set, if the call is to fail; may make *n smaller. */
static bool fails(int fd, size_t *n)
{
    struct plan plan;
    const char *kind = fault(fd, &plan);
    if (strcmp(kind, "short") == 0) *n = *n > 1 ? *n / 2 : *n;
    errno = strcmp(kind, "enospc") == 0  ? ENOSPC
            : strcmp(kind, "eio") == 0   ? EIO
            : strcmp(kind, "eintr") == 0 ? EINTR
                                         : 0;
    return errno != 0;
}

/* glibc declares these; the names are what is preloaded. */
ssize_t write(int fd, const void *p, size_t n)
{
    return fails(fd, &n) ? -1 : syscall(SYS_write, fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    return fails(fd, &n) ? -1 : syscall(SYS_pwrite64, fd, p, n, at);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
    return fails(fd, &n) ? -1 : syscall(SYS_pwrite64, fd, p, n, at);
}

int fsync(int fd)
{
    size_t n = 0;
    return fails(fd, &n) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    size_t n = 0;
    return fails(fd, &n) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t size)
{
    size_t n = 0;
    return fails(fd, &n) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size)
{
    size_t n = 0;
    return fails(fd, &n) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}
