#include "store/sqlite_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is new in a folder is safe only once the folder itself is on the disk. A file system that
 * cannot do this has nothing better to offer, so the result is not looked at. */
static void sync_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    char *parent = n ? mem_copy((struct bytes){path, n}) : mem_copy(BYTES("."));
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(parent);
}

/* What is there already need not be a folder: then making what is below it fails, and says so. */
static int make_folder(const char *folder, const char *path, struct error *error)
{
    if (mkdir(folder, 0700) == 0) {
        sync_parent(folder);
        return 0;
    }
    if (errno == EEXIST) return 0;
    return error_set(error,
                     "store %s: cannot make the folder %s: %s; make it yourself, writable for this "
                     "user, or name another file with --store PATH",
                     path, folder, strerror(errno));
}

static int make_folders(const char *path, struct error *error)
{
    char *folder = mem_copy(bytes_of(path));
    int rc = 0;
    for (size_t i = 1; rc == 0 && folder[i]; i++) {
        /* Each prefix that ends before a slash, from the top down; "//" is one slash. */
        if (folder[i] != '/' || folder[i - 1] == '/') continue;
        folder[i] = '\0';
        rc = make_folder(folder, path, error);
        folder[i] = '/';
    }
    free(folder);
    return rc;
}

static int make_file(const char *path, struct error *error)
{
    if (make_folders(path, error)) return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600); /* no O_EXCL: another host may win */
    if (fd < 0)
        return error_set(error,
                         "store %s: cannot make the file: %s; make its folder writable for this "
                         "user, or name another file with --store PATH",
                         path, strerror(errno));
    close(fd);
    sync_parent(path);
    return 0;
}

int sqlite_file_prepare(const char *path, bool read_only, struct error *error)
{
    struct stat info;
    if (path[0] == '\0')
        return error_set(error, "the path of the store is empty; name a file with --store PATH");
    if (stat(path, &info) == 0) {
        if (S_ISREG(info.st_mode)) return 0;
        return error_set(error, "store %s: this is %s; name a file with --store PATH", path,
                         S_ISDIR(info.st_mode) ? "a folder" : "not a file");
    }
    if (errno != ENOENT)
        return error_set(error,
                         "store %s: cannot get at the file: %s; name another with --store PATH",
                         path, strerror(errno));
    if (read_only)
        return error_set(error,
                         "store %s: there is no such file; name the store of the host with "
                         "--store PATH",
                         path);
    return make_file(path, error);
}
