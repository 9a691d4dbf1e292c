#include "store/queue.h"

#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Jobs, first in, first out. `end` points into the line itself: it is set up in place and never
 * copied. */
struct line {
    struct store_job *first, **end; /* end: where the next one is linked in */
};

/* Jobs pass from `waiting` to `ran` and are in neither while they run: the thread then holds no
 * lock, so the loop never waits for a disk. */
struct store_queue {
    struct store *store;
    void (*wake)(void *arg);
    void *arg;
    bool threaded; /* the loop's thread alone reads and writes it */
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    struct line waiting, ran;
    bool stop;
};

static void line_init(struct line *line)
{
    line->first = NULL;
    line->end = &line->first;
}

static void line_add(struct line *line, struct store_job *job)
{
    job->next = NULL;
    *line->end = job;
    line->end = &job->next;
}

static struct store_job *line_take(struct line *line)
{
    struct store_job *job = line->first;
    line->first = job->next;
    if (!line->first) line->end = &line->first;
    return job;
}

/* Takes the next job, and if it commits those behind it that do, too, waiting for one. Returns how
 * many; 0 when all have run and the queue is to stop. */
static size_t next_jobs(struct store_queue *q, struct store_job *jobs[QUEUE_TOGETHER])
{
    size_t n = 0;
    pthread_mutex_lock(&q->lock);
    while (!q->waiting.first && !q->stop)
        pthread_cond_wait(&q->changed, &q->lock);
    if (q->waiting.first) jobs[n++] = line_take(&q->waiting);
    while (n > 0 && n < QUEUE_TOGETHER && jobs[0]->commits && q->waiting.first &&
           q->waiting.first->commits)
        jobs[n++] = line_take(&q->waiting);
    pthread_mutex_unlock(&q->lock);
    return n;
}

static void run_each(struct store_queue *q, struct store_job *const *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        jobs[i]->run(jobs[i], q->store);
}

/* What is wrong with the store is found again, and told, by each of those that run by themselves.
 */
static void run_together(struct store_queue *q, struct store_job *const *jobs, size_t n)
{
    struct error error;
    bool begun = store_begin(q->store, &error) == 0;
    if (begun) run_each(q, jobs, n);
    if (!begun || store_end(q->store, &error)) run_each(q, jobs, n);
}

/* Wakes after the lock is released: whoever is woken can take it at once. The jobs may be gone by
 * then, as reap needs no wake. */
static void run(struct store_queue *q, struct store_job *const *jobs, size_t n)
{
    if (n > 1)
        run_together(q, jobs, n);
    else
        run_each(q, jobs, n);
    pthread_mutex_lock(&q->lock);
    for (size_t i = 0; i < n; i++)
        line_add(&q->ran, jobs[i]);
    pthread_mutex_unlock(&q->lock);
    q->wake(q->arg);
}

/* The store's thread: nothing but jobs, in their order. */
static void *work(void *arg)
{
    struct store_queue *q = arg;
    struct store_job *jobs[QUEUE_TOGETHER];
    for (size_t n; (n = next_jobs(q, jobs));)
        run(q, jobs, n);
    return NULL;
}

/* Signals are for the loop's thread: the new one starts with all of them blocked. */
static void start_thread(struct store_queue *q)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&q->thread, NULL, work, q);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        fprintf(stderr, "lunask: cannot start the thread of the store; raise the limit of threads "
                        "of this user or service\n");
        abort();
    }
    q->threaded = true;
}

struct store_queue *store_queue_new(struct store *s, void (*wake)(void *arg), void *arg)
{
    struct store_queue *q = mem_alloc(sizeof *q);
    q->store = s;
    q->wake = wake;
    q->arg = arg;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    line_init(&q->waiting);
    line_init(&q->ran);
    if (s->blocking) start_thread(q);
    return q;
}

static void stop_thread(struct store_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    q->threaded = false;
}

void store_queue_free(struct store_queue *q)
{
    if (!q) return;
    /* The thread runs all that waits before it sees `stop`: next_jobs looks for a job first. */
    if (q->threaded) stop_thread(q);
    /* What a `done` submits from here on runs at once, and needs another round. */
    while (q->ran.first)
        store_queue_reap(q);
    store_close(q->store);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

void store_queue_submit(struct store_queue *q, struct store_job *job)
{
    if (!q->threaded) {
        run(q, &job, 1);
        return;
    }
    pthread_mutex_lock(&q->lock);
    line_add(&q->waiting, job);
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void store_queue_reap(struct store_queue *q)
{
    pthread_mutex_lock(&q->lock);
    /* The whole line at once: the lock is not held while a `done` runs, which may submit. */
    struct store_job *job = q->ran.first;
    line_init(&q->ran);
    pthread_mutex_unlock(&q->lock);
    for (struct store_job *next; job; job = next) {
        next = job->next; /* `done` may free the job, or submit it again */
        job->done(job);
    }
}

bool store_queue_inline(const struct store_queue *q)
{
    return !q->store->blocking;
}

struct store *store_queue_store(struct store_queue *q)
{
    return q->store;
}
