#include "cli/supervise.h"

#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int PAUSES_MS[] = {0, 100, 500, 2000, 5000};
enum { PAUSE_COUNT = sizeof PAUSES_MS / sizeof PAUSES_MS[0] };

struct supervisor {
    struct log *log;
    int socket;
    pid_t worker;     /* 0: none */
    int ready;        /* the worker's one byte comes here */
    bool ever_served; /* a worker has */
    bool stopping;
    bool over;
    int code;
    int crashes; /* in a row */
    int64_t begun_ms, next_ms;
};

int supervise_pause_ms(int crashes)
{
    return PAUSES_MS[crashes < PAUSE_COUNT ? crashes - 1 : PAUSE_COUNT - 1];
}

static void fill_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
    sigaddset(set, SIGCHLD);
}

static void change_mask(int how)
{
    sigset_t set;
    fill_signals(&set);
    sigprocmask(how, &set, NULL);
}

void supervise_ready(int ready)
{
    ssize_t written = write(ready, "", 1);
    (void)written; /* nobody reads it any more: then the kernel has a SIGKILL for us */
    close(ready);
    change_mask(SIG_UNBLOCK);
}

void supervise_closing(void)
{
    change_mask(SIG_BLOCK);
}

/* A supervisor that died before the request for its death signal was in can't be noticed by that
 * signal any more. */
static void follow(pid_t supervisor)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(1);
}

static void plan(struct supervisor *s)
{
    s->next_ms = clock_mono_ms() + supervise_pause_ms(++s->crashes);
}

static void fail_to_fork(struct supervisor *s)
{
    log_line(s->log, LOG_ERROR, "cannot start a worker: %s", strerror(errno));
    s->over = !s->ever_served;
    s->code = 1;
    plan(s);
}

/* Returns true in the worker. */
static bool fork_worker(struct supervisor *s, struct supervise_role *role)
{
    int ends[2];
    pid_t supervisor = getpid();
    s->begun_ms = clock_mono_ms();
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        fail_to_fork(s);
        return false;
    }
    s->worker = fork();
    if (s->worker == 0) {
        follow(supervisor);
        close(ends[0]);
        *role = (struct supervise_role){.worker = true, .ready = ends[1]};
        return true;
    }
    if (s->worker < 0) {
        s->worker = 0;
        fail_to_fork(s);
        close(ends[0]);
    }
    close(ends[1]);
    s->ready = ends[0];
    return false;
}

/* "by SIGSEGV", "with code 1" */
static void describe(int status, char *text, size_t size)
{
    const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;
    if (name)
        snprintf(text, size, "by SIG%s", name);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "by signal %d", WTERMSIG(status));
    else
        snprintf(text, size, "with code %d", WEXITSTATUS(status));
}

static void log_end(struct supervisor *s, int status, int64_t lived_ms, const char *then)
{
    char how[32];
    describe(status, how, sizeof how);
    log_line(s->log, LOG_ERROR, "the worker ended %s after %.1f s%s", how, (double)lived_ms / 1000,
             then);
}

static void plan_after(struct supervisor *s, int status, int64_t lived_ms)
{
    char then[64];
    if (lived_ms >= SUPERVISE_GOOD_MS) s->crashes = 0;
    plan(s);
    int pause_ms = supervise_pause_ms(s->crashes);
    if (pause_ms == 0)
        snprintf(then, sizeof then, ": starting another at once");
    else
        snprintf(then, sizeof then, ": starting another in %.1f s", pause_ms / 1000.0);
    log_end(s, status, lived_ms, then);
}

static void on_child(struct supervisor *s)
{
    int status;
    char byte;
    /* Stopped and continued children send SIGCHLD, too. */
    if (!s->worker || waitpid(s->worker, &status, WNOHANG) != s->worker) return;
    int64_t lived_ms = clock_mono_ms() - s->begun_ms;
    s->worker = 0;
    s->ever_served |= read(s->ready, &byte, 1) == 1;
    close(s->ready);
    if (s->ever_served && !s->stopping && status != 0) {
        plan_after(s, status, lived_ms);
        return;
    }
    s->over = true;
    s->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status)) log_end(s, status, lived_ms, "");
}

static void on_stop(struct supervisor *s, int number)
{
    if (s->stopping) {
        assert(s->worker > 0); /* otherwise it is over, and kill(0, …) means everybody */
        kill(s->worker, SIGKILL);
        waitpid(s->worker, NULL, 0);
        close(s->ready);
        s->over = true;
        s->code = 128 + number;
        return;
    }
    s->stopping = true;
    close(s->socket);
    if (s->worker)
        kill(s->worker, number);
    else
        s->over = true;
}

/* Where no worker is left to reload anything, the operator most likely has mended what stops it. */
static void on_hangup(struct supervisor *s)
{
    if (s->worker)
        kill(s->worker, SIGHUP);
    else
        s->next_ms = 0;
}

/* Waits for one signal and does what it asks; with a worker without an end, otherwise until it is
 * time for the next one. */
static void turn(struct supervisor *s)
{
    sigset_t set;
    int64_t left_ms = s->next_ms - clock_mono_ms();
    struct timespec left = {left_ms / 1000, left_ms % 1000 * 1000000};
    fill_signals(&set);
    if (!s->worker && left_ms <= 0) return;
    int number = s->worker ? sigwaitinfo(&set, NULL) : sigtimedwait(&set, NULL, &left);
    if (number == SIGCHLD) on_child(s);
    if (number == SIGHUP) on_hangup(s);
    if (number == SIGTERM || number == SIGINT) on_stop(s, number);
}

static bool must_fork(const struct supervisor *s)
{
    return !s->worker && clock_mono_ms() >= s->next_ms;
}

struct supervise_role supervise_run(struct log *log, int socket)
{
    struct supervisor s = {.log = log, .socket = socket};
    struct supervise_role role = {0};
    /* Whoever started us may ignore it, and children of such a process leave no status. */
    signal(SIGCHLD, SIG_DFL);
    change_mask(SIG_BLOCK);
    while (!s.over) {
        if (must_fork(&s) && fork_worker(&s, &role)) return role;
        if (!s.over) turn(&s);
    }
    if (!s.stopping) close(socket);
    role.code = s.code;
    return role;
}
