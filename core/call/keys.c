#include "call/keys.h"

#include "base/mem.h"
#include "call/base64url.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_BYTES = 16 * 1024, /* some 350 keys, or a file that is none of keys */
    VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
};
_Static_assert(KEYS_TEXT_BYTES == sodium_base64_ENCODED_LEN(KEYS_KEY_BYTES, VARIANT),
               "a key and its NUL");

/* For error texts. */
static const char advice[] = "make one with: lunask keys new";

/* libsodium fails to start only where there is no randomness: nothing could be kept secret. */
static void start_sodium(void)
{
    if (sodium_init() < 0) {
        fputs("lunask: libsodium does not start: the system gives no random bytes\n", stderr);
        abort();
    }
}

/* States tell which key they need, and so show its id to the client: it must lead back to nothing.
 */
static void name_key(struct seal_key *key)
{
    static const char text[] = "lunask key id";
    unsigned char hash[crypto_generichash_BYTES];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, sizeof text - 1, key->key,
                       sizeof key->key);
    memcpy(key->id, hash, sizeof key->id);
}

void keys_fresh(struct seal_keys *keys_r)
{
    start_sodium();
    *keys_r = (struct seal_keys){mem_alloc(sizeof *keys_r->keys), 1};
    randombytes_buf(keys_r->keys->key, sizeof keys_r->keys->key);
    name_key(keys_r->keys);
}

void keys_new(char text_r[KEYS_TEXT_BYTES])
{
    struct seal_keys keys;
    keys_fresh(&keys);
    sodium_bin2base64(text_r, KEYS_TEXT_BYTES, keys.keys->key, sizeof keys.keys->key, VARIANT);
    keys_free(&keys);
}

void keys_wipe(char *text, size_t n)
{
    sodium_memzero(text, n);
}

void keys_free(struct seal_keys *keys)
{
    if (!keys || !keys->keys) return;
    sodium_memzero(keys->keys, keys->n * sizeof *keys->keys);
    free(keys->keys);
    *keys = (struct seal_keys){0};
}

/* Also the end of a line as Windows writes it: the file may have been edited there. */
static struct bytes trim(struct bytes b)
{
    if (b.n && b.p[b.n - 1] == '\r') b.n--;
    return bytes_trim(b);
}

static int add_key(struct seal_keys *keys, struct bytes text, struct error *error)
{
    struct seal_key *key = &keys->keys[keys->n];
    size_t n = 0;
    if (base64url_read(text, key->key, sizeof key->key, &n) != 0 || n != sizeof key->key) {
        sodium_memzero(key, sizeof *key);
        return error_set(error,
                         "key %zu is not %d characters of base64url without padding (32 bytes); %s",
                         keys->n + 1, KEYS_TEXT_BYTES - 1, advice);
    }
    name_key(key);
    keys->n++;
    return 0;
}

static int read_line(struct seal_keys *keys, struct bytes line, struct error *error)
{
    struct bytes part;
    /* What is behind the # stays in `line`, and is given up with it. */
    bytes_split(&line, '#', &part);
    line = part;
    while (bytes_split(&line, ',', &part)) {
        part = trim(part);
        if (part.n && add_key(keys, part, error) != 0) return -1;
    }
    return 0;
}

/* Room is made once, before any key is read: growing would leave copies of keys behind. */
static size_t most_keys(struct bytes text)
{
    size_t n = 1;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n' || text.p[i] == ',';
    return n;
}

int keys_read(struct bytes text, struct seal_keys *keys_r, struct error *error)
{
    start_sodium();
    size_t most = most_keys(text);
    struct seal_keys keys = {mem_alloc(most * sizeof *keys.keys), 0};
    int status = 0;
    struct bytes line;
    while (status == 0 && bytes_split(&text, '\n', &line))
        status = read_line(&keys, line, error);
    if (status == 0 && keys.n == 0) status = error_set(error, "there is no key in it; %s", advice);
    if (status != 0) keys_free(&keys);
    *keys_r = keys;
    return status;
}

/* Looks at the open file and not at its name, which may be another file's a moment later. */
static int check_file(int fd, const char *path, struct error *error)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return error_set(error, "cannot read the key file %s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode)) return error_set(error, "the key file %s is not a plain file", path);
    if (st.st_uid != geteuid())
        return error_set(error,
                         "the key file %s belongs to user %lu and not to user %lu, who runs this; "
                         "run: chown %lu '%s'",
                         path, (unsigned long)st.st_uid, (unsigned long)geteuid(),
                         (unsigned long)geteuid(), path);
    /* Who can read the key can read what people answered, and who can write it can seal answers of
     * their own. */
    if (st.st_mode & 07777 & ~(mode_t)0600)
        return error_set(error,
                         "the key file %s has mode %04o, which is open to more than its owner's "
                         "reading and writing; run: chmod 600 '%s'",
                         path, (unsigned)(st.st_mode & 07777), path);
    if (st.st_size > FILE_BYTES)
        return error_set(error, "the key file %s is longer than %d bytes: take out old keys", path,
                         FILE_BYTES);
    return 0;
}

static int read_file(int fd, const char *path, struct seal_keys *keys_r, struct error *error)
{
    if (check_file(fd, path, error) != 0) return -1;
    /* All the room at once and not a buf, which would leave copies behind when it grows. */
    char *text = mem_alloc(FILE_BYTES);
    size_t n = 0;
    ssize_t got = 1; /* 0 is the end of the file, -1 a failure */
    while (n < FILE_BYTES && got > 0) {
        got = read(fd, text + n, FILE_BYTES - n);
        if (got > 0) n += (size_t)got;
        if (got < 0 && errno == EINTR) got = 1;
    }
    struct error why = {""};
    int status = got < 0 ? error_set(&why, "%s", strerror(errno))
                         : keys_read((struct bytes){text, n}, keys_r, &why);
    if (status != 0) error_set(error, "cannot use the key file %s: %s", path, why.text);
    sodium_memzero(text, FILE_BYTES);
    free(text);
    return status;
}

/* Writes and syncs before the file has its name: a power cut leaves either no key file or a whole
 * one. A short write counts as failed; it is 150 bytes. */
static int write_key(int fd)
{
    char text[KEYS_TEXT_BYTES];
    keys_new(text);
    text[sizeof text - 1] = '\n';
    static const char head[] = "# Seals the state of waiting calls: keep it secret. One key a "
                               "line; the first one seals, all open.\n";
    int status = write(fd, head, sizeof head - 1) == (ssize_t)sizeof head - 1 &&
                         write(fd, text, sizeof text) == (ssize_t)sizeof text && fsync(fd) == 0
                     ? 0
                     : -1;
    keys_wipe(text, sizeof text);
    return status;
}

/* Makes the new name last through a power cut. Where a folder can't be synced nothing is lost but
 * this promise, so the outcome is not looked at. */
static void sync_folder(const char *path)
{
    char *folder = mem_copy(bytes_of(path));
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

/* link() gives the finished file its name only if nobody else has: whoever comes second finds
 * EEXIST, which is no failure, and reads the first one's. */
static int make_file(const char *path, struct error *error)
{
    size_t n = strlen(path) + sizeof ".XXXXXX";
    char *temporary = mem_alloc(n);
    snprintf(temporary, n, "%s.XXXXXX", path);
    int status = -1;
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd >= 0) {
        status = write_key(fd);
        if (status == 0 && link(temporary, path) != 0 && errno != EEXIST) status = -1;
    }
    if (status != 0)
        error_set(error,
                  "cannot make the key file %s: %s; make sure that its folder is there and "
                  "writable, or set a key",
                  path, strerror(errno));
    if (fd >= 0) {
        close(fd);
        /* The key, if it was linked, keeps its other name. */
        unlink(temporary);
    }
    if (status == 0) sync_folder(path);
    free(temporary);
    return status;
}

int keys_load(const char *path, struct seal_keys *keys_r, struct error *error)
{
    /* O_NONBLOCK: a pipe put there in place of a file must not hang the start. */
    const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    *keys_r = (struct seal_keys){0};
    int fd = open(path, flags);
    if (fd < 0 && errno == ENOENT) {
        if (make_file(path, error) != 0) return -1;
        fd = open(path, flags);
    }
    if (fd < 0) return error_set(error, "cannot open the key file %s: %s", path, strerror(errno));
    int status = read_file(fd, path, keys_r, error);
    close(fd);
    return status;
}
