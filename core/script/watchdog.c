#include "script/watchdog.h"

#include "base/mem.h"
#include "script/limits.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct watchdog {
    timer_t timer, soon;
    struct limits *volatile watched;
};

/* On the thread that runs the script, in the middle of whatever it does. */
static void on_tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    int saved = errno;
    struct watchdog *w = info->si_code == SI_TIMER ? info->si_value.sival_ptr : NULL;
    struct limits *l = w ? w->watched : NULL;
    if (l) limits_tick(l);
    errno = saved;
}

static void listen_to_ticks(void)
{
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGVTALRM, &action, NULL);
}

static int make_timers(struct watchdog *w, struct sigevent *event)
{
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, event, &w->timer) != 0) return -1;
    if (timer_create(CLOCK_MONOTONIC, event, &w->soon) == 0) return 0;
    int reason = errno;
    timer_delete(w->timer);
    errno = reason;
    return -1;
}

struct watchdog *watchdog_new(struct error *error)
{
    struct watchdog *w = mem_alloc(sizeof *w);
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM, .sigev_value.sival_ptr = w};
    struct timespec tick = {.tv_nsec = WATCHDOG_TICK_MS * 1000000L};
    struct itimerspec every = {tick, tick};
    event._sigev_un._tid = gettid();
    listen_to_ticks();
    watchdog_unblock(); /* a thread may have begun with the mask of another */
    if (make_timers(w, &event) != 0) {
        error_set(error, "no timer to hold scripts with: %s", strerror(errno));
        free(w);
        return NULL;
    }
    timer_settime(w->timer, 0, &every, NULL);
    return w;
}

/* A signal of a deleted timer that is still pending would find freed memory: it is taken off the
 * queue of this thread. Ignoring the signal for a moment would do so in all threads, and end timers
 * of theirs. */
void watchdog_free(struct watchdog *w)
{
    const struct timespec at_once = {0};
    sigset_t set;
    if (!w) return;
    sigemptyset(&set);
    sigaddset(&set, SIGVTALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    timer_delete(w->timer);
    timer_delete(w->soon);
    while (sigtimedwait(&set, NULL, &at_once) == SIGVTALRM)
        ;
    watchdog_unblock();
    free(w);
}

void watchdog_watch(struct watchdog *w, struct limits *l)
{
    w->watched = l;
}

void watchdog_look_soon(struct watchdog *w)
{
    struct itimerspec once = {.it_value.tv_nsec = WATCHDOG_SLICE_MS * 1000000L};
    timer_settime(w->soon, 0, &once, NULL);
}

void watchdog_unblock(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGVTALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
