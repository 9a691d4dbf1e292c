#include "call/file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* O_NONBLOCK: opening a FIFO must not wait for a writer; a regular file does not mind. */
enum { FILE_FLAGS = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

int file_walk(int folder, const char *path)
{
    struct bytes rest = bytes_of(path), part = {NULL, 0};
    int at = folder;
    while (bytes_split(&rest, '/', &part)) {
        bool last = !rest.p;
        int flags = last ? FILE_FLAGS : O_PATH | O_DIRECTORY | O_CLOEXEC;
        char *name = mem_copy(part);
        bool plain = strcmp(name, "") != 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
        int next = plain ? openat(at, name, flags | O_NOFOLLOW) : -1;
        int number = plain ? errno : EXDEV;
        free(name);
        if (at != folder) close(at);
        errno = number;
        if (next < 0 || last) return next;
        at = next;
    }
    errno = ENOENT;
    return -1;
}

int file_open(int folder, const char *path)
{
    struct open_how how = {.flags = FILE_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    /* EPERM: a container's filter that does not know the call. */
    if (fd < 0 && (errno == ENOSYS || errno == EPERM)) return file_walk(folder, path);
    return fd;
}

/* Returns 0 if the bytes were all read. It may grow meanwhile: then it is cut where it was. */
static int read_all(int fd, size_t size, struct buf *out)
{
    while (size > 0) {
        ssize_t n = read(fd, buf_reserve(out, size), size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0 ? 0 : -1;
        out->n += (size_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static int read_open(int fd, struct bytes path, struct buf *out, struct error *error)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return error_set(error, "ctx:read: can't read %.*s: %s", BYTES_ARG(path), strerror(errno));
    if (!S_ISREG(about.st_mode))
        return error_set(error, "ctx:read: %.*s is no file", BYTES_ARG(path));
    if (about.st_size > FILE_MOST_BYTES)
        return error_set(error, "ctx:read: %.*s has %lld bytes; a file may have %d",
                         BYTES_ARG(path), (long long)about.st_size, FILE_MOST_BYTES);
    if (read_all(fd, (size_t)about.st_size, out) != 0)
        return error_set(error, "ctx:read: can't read %.*s: %s", BYTES_ARG(path), strerror(errno));
    return 0;
}

static int open_folder(const char *scripts, struct bytes folder)
{
    struct buf name = {0};
    buf_printf(&name, "%s/%.*s", scripts, BYTES_ARG(folder));
    int fd = open(buf_text(&name), O_PATH | O_DIRECTORY | O_CLOEXEC);
    buf_free(&name);
    return fd;
}

/* Why it was not opened. A path that leads nowhere is an answer. */
static int not_opened(int number, struct bytes path, struct error *error)
{
    if (number == ENOENT || number == ENOTDIR) return 0;
    if (number == EXDEV || number == ELOOP)
        return error_set(error, "ctx:read: %.*s leads out of the folder that was granted",
                         BYTES_ARG(path));
    return error_set(error, "ctx:read: can't read %.*s: %s", BYTES_ARG(path), strerror(number));
}

int file_read(const char *scripts, struct bytes folder, struct bytes path, struct buf *out,
              bool *found_r, struct error *error)
{
    *found_r = false;
    if (memchr(path.p, '\0', path.n)) return error_set(error, "ctx:read: a path has no NUL in it");
    int root = open_folder(scripts, folder);
    if (root < 0)
        return error_set(error, "ctx:read: can't open the folder %.*s: %s", BYTES_ARG(folder),
                         strerror(errno));
    char *below = mem_copy((struct bytes){path.p + folder.n + 1, path.n - folder.n - 1});
    int fd = file_open(root, below);
    int number = errno;
    free(below);
    close(root);
    if (fd < 0) return not_opened(number, path, error);
    *found_r = true;
    int result = read_open(fd, path, out, error);
    close(fd);
    return result;
}
