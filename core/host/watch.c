#include "host/watch.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder and what matters in it. */
struct spot {
    uv_fs_event_t handle;
    struct watch *watch;
    struct spot *next;
    char *folder;
    char *only;  /* the one name; NULL: what watch_concerns says */
    bool in_lib; /* for watch_concerns */
};

struct watch {
    uv_loop_t *loop;
    uv_timer_t quiet;
    char *scripts, *config;
    struct log *log;
    void (*changed)(void *arg);
    void *arg;
    struct spot *spots;
    size_t spot_count;
    size_t handles;   /* not closed yet, the timer included */
    int64_t first_ms; /* of the events not told of yet; 0: there are none */
};

int64_t watch_wait_ms(int64_t first_ms, int64_t now_ms)
{
    int64_t left_ms = first_ms + WATCH_MOST_MS - now_ms;
    if (left_ms < 0) return 0;
    return left_ms < WATCH_QUIET_MS ? left_ms : WATCH_QUIET_MS;
}

static bool may_be_folder(const char *name)
{
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return *name == '\0';
}

bool watch_concerns(const char *name, bool in_lib)
{
    size_t n = strlen(name);
    if (n == 0 || name[0] == '.') return false;
    if (n > 4 && strcmp(name + n - 4, ".lua") == 0) return true;
    return in_lib ? may_be_folder(name) : strcmp(name, "lib") == 0;
}

static void on_closed(uv_handle_t *handle)
{
    struct watch *w;
    if (handle->type == UV_FS_EVENT) {
        struct spot *spot = handle->data;
        w = spot->watch;
        free(spot->folder);
        free(spot->only);
        free(spot);
    } else {
        w = handle->data;
    }
    if (--w->handles > 0) return;
    free(w->scripts);
    free(w->config);
    free(w);
}

/* What is gone may have been a folder; a file that is no Lua is not loaded. */
static bool is_other_file(const char *folder, const char *name)
{
    struct stat there;
    struct buf path = {0};
    if (!may_be_folder(name)) return false;
    buf_printf(&path, "%s/%s", folder, name);
    bool other = stat(buf_text(&path), &there) == 0 && !S_ISDIR(there.st_mode);
    buf_free(&path);
    return other;
}

static bool matters(const struct spot *spot, const char *name)
{
    if (!name) return true;
    if (spot->only) return strcmp(name, spot->only) == 0;
    return watch_concerns(name, spot->in_lib) && !is_other_file(spot->folder, name);
}

static void on_quiet(uv_timer_t *timer);

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct spot *spot = handle->data;
    struct watch *w = spot->watch;
    (void)events;
    (void)status;
    if (uv_is_closing((uv_handle_t *)handle) || !matters(spot, name)) return;
    int64_t now_ms = clock_mono_ms();
    if (w->first_ms == 0) w->first_ms = now_ms;
    uv_timer_start(&w->quiet, on_quiet, (uint64_t)watch_wait_ms(w->first_ms, now_ms), 0);
}

/* What is not there is waited for in the folder above it. */
static void start(struct spot *spot)
{
    int rc = uv_fs_event_start(&spot->handle, on_event, spot->folder, 0);
    if (rc == 0 || rc == UV_ENOENT || rc == UV_ENOTDIR || rc == UV_ELOOP) return;
    log_line(spot->watch->log, LOG_WARNING,
             "can't watch %s: %s%s; SIGHUP reloads the scripts at any time", spot->folder,
             uv_strerror(rc), rc == UV_ENOSPC ? " (raise fs.inotify.max_user_watches)" : "");
}

static bool is_watched(const struct watch *w, const char *folder, const char *only)
{
    for (const struct spot *s = w->spots; s; s = s->next)
        if (strcmp(s->folder, folder) == 0 &&
            (only && s->only ? strcmp(s->only, only) == 0 : only == s->only))
            return true;
    return false;
}

/* Takes both names. */
static void add_spot(struct watch *w, char *folder, char *only, bool in_lib)
{
    if (w->spot_count == WATCH_SPOTS || is_watched(w, folder, only)) {
        free(folder);
        free(only);
        return;
    }
    struct spot *spot = mem_alloc(sizeof *spot);
    spot->watch = w;
    spot->folder = folder;
    spot->only = only;
    spot->in_lib = in_lib;
    spot->next = w->spots;
    w->spots = spot;
    uv_fs_event_init(w->loop, &spot->handle);
    spot->handle.data = spot;
    w->handles++;
    if (++w->spot_count == WATCH_SPOTS)
        log_line(w->log, LOG_WARNING, "only the first %d folders and links of %s are watched",
                 WATCH_SPOTS, w->scripts);
    start(spot);
}

static void add_path(struct watch *w, struct bytes path, int depth);

/* Adds the path to which the link at `path`, found in `folder`, leads. */
static void add_target(struct watch *w, const char *path, struct bytes folder, int depth)
{
    char target[PATH_MAX];
    struct buf whole = {0};
    ssize_t n = readlink(path, target, sizeof target);
    if (n <= 0 || depth >= WATCH_DEPTH) return;
    if (target[0] != '/') {
        buf_add(&whole, folder);
        buf_addc(&whole, '/');
    }
    buf_add(&whole, (struct bytes){target, (size_t)n});
    add_path(w, buf_bytes(&whole), depth + 1);
    buf_free(&whole);
}

/* A part of a path matters if it is a link, or the last one. */
static void add_part(struct watch *w, struct bytes path, bool last, int depth)
{
    struct stat there;
    char *text = mem_copy(path);
    const char *slash = strrchr(text, '/');
    const char *name = slash ? slash + 1 : text;
    struct bytes folder = slash ? (struct bytes){text, (size_t)(slash - text)} : BYTES(".");
    if (slash == text) folder = BYTES("/");
    bool link = lstat(text, &there) == 0 && S_ISLNK(there.st_mode);
    bool named = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    if (named && (link || last)) add_spot(w, mem_copy(folder), mem_copy(bytes_of(name)), false);
    if (link) add_target(w, text, folder, depth);
    free(text);
}

static void add_path(struct watch *w, struct bytes path, int depth)
{
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    for (size_t i = 1; i <= path.n; i++)
        if ((i == path.n || path.p[i] == '/') && path.p[i - 1] != '/')
            add_part(w, (struct bytes){path.p, i}, i == path.n, depth);
}

static void add_folder(struct watch *w, const char *folder, bool in_lib, int depth);

static void add_entry(struct watch *w, const char *folder, const char *name, bool in_lib, int depth)
{
    struct stat there;
    struct buf path = {0};
    if (!watch_concerns(name, in_lib)) return;
    buf_printf(&path, "%s/%s", folder, name);
    const char *text = buf_text(&path);
    if (lstat(text, &there) == 0 && S_ISLNK(there.st_mode)) add_path(w, buf_bytes(&path), 0);
    if (stat(text, &there) == 0 && S_ISDIR(there.st_mode) && may_be_folder(name))
        add_folder(w, text, true, depth + 1);
    buf_free(&path);
}

/* Watched before it is read: nothing is created unseen between the two. */
static void add_folder(struct watch *w, const char *folder, bool in_lib, int depth)
{
    if (depth > WATCH_DEPTH) return;
    add_spot(w, mem_copy(bytes_of(folder)), NULL, in_lib);
    DIR *entries = opendir(folder);
    for (struct dirent *e = entries ? readdir(entries) : NULL; e; e = readdir(entries))
        add_entry(w, folder, e->d_name, in_lib, depth);
    if (entries) closedir(entries);
}

static void close_spots(struct spot *first)
{
    for (; first; first = first->next)
        uv_close((uv_handle_t *)&first->handle, on_closed);
}

/* Any of the paths may mean another folder now. The new watches are there before the old ones end,
 * so that nothing is missed. */
static void look_again(struct watch *w)
{
    struct spot *before = w->spots;
    w->spots = NULL;
    w->spot_count = 0;
    add_path(w, bytes_of(w->scripts), 0);
    add_path(w, bytes_of(w->config), 0);
    add_folder(w, w->scripts, false, 0);
    close_spots(before);
}

static void on_quiet(uv_timer_t *timer)
{
    struct watch *w = timer->data;
    w->first_ms = 0;
    look_again(w);
    w->changed(w->arg);
}

struct watch *watch_new(uv_loop_t *loop, const char *scripts, const char *config, struct log *log,
                        void (*changed)(void *arg), void *arg)
{
    struct watch *w = mem_alloc(sizeof *w);
    w->loop = loop;
    w->scripts = mem_copy(bytes_of(scripts));
    w->config = mem_copy(bytes_of(config));
    w->log = log;
    w->changed = changed;
    w->arg = arg;
    uv_timer_init(loop, &w->quiet);
    w->quiet.data = w;
    w->handles = 1;
    look_again(w);
    return w;
}

void watch_free(struct watch *w)
{
    if (!w) return;
    close_spots(w->spots);
    uv_close((uv_handle_t *)&w->quiet, on_closed);
}
