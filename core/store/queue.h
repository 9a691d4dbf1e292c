/* The thread between the event loop and a store that blocks.
 *
 *   loop's thread             queue's thread
 *   submit ───→ waiting ───→  run(job, store)
 *   reap   ←───   ran   ←───  … then wake(arg)
 *   done(job)
 *
 * Legal order: new, any number of submit and reap from the loop's thread, free. A job belongs to
 * the queue from submit until its `done` has been called by reap. Jobs run in the order submitted:
 * one thread a store, so a commit is seen by every read that was submitted after it.
 *
 * Commits that wait one behind the other are put into one transaction (store_begin), QUEUE_TOGETHER
 * at most: a disk that takes long to sync is waited for once. Their jobs have run when it is on the
 * disk; if it fails, each runs again by itself.
 *
 * With a store that does not block, no thread is made and submit runs the job at once, wake
 * included; `done` still comes from reap, so that callers need only one way of going on. */
#ifndef LUNASK_STORE_QUEUE_H
#define LUNASK_STORE_QUEUE_H

#include "store/store.h"

enum { QUEUE_TOGETHER = 64 }; /* other processes wait for the store that long */

struct store_queue;

/* Embed it in what the job needs. `run` may touch only what the loop's thread leaves alone until
 * `done`; the queue's lock makes what it wrote visible there. A job can't be taken back: a call
 * that is cancelled meanwhile says so to its own `done`. */
struct store_job {
    void (*run)(struct store_job *job, struct store *s); /* on the queue's thread */
    void (*done)(struct store_job *job);                 /* on the loop's thread, from reap */
    bool commits; /* `run` does nothing but commit to the store, and may run a second time */
    struct store_job *next; /* the queue's own */
};

/* Takes `s`. `wake(arg)` is called whenever jobs have run, from the thread that ran it and until
 * store_queue_free returns: it must make the loop call store_queue_reap soon, and must not call the
 * queue itself. Returns owned. A thread that cannot be made ends the process, as in mem.h. */
struct store_queue *store_queue_new(struct store *s, void (*wake)(void *arg), void *arg);

/* Runs what was submitted to its end, calls every `done`, stops the thread, closes the store. What
 * a `done` submits meanwhile runs too. NULL is fine. */
void store_queue_free(struct store_queue *q);

void store_queue_submit(struct store_queue *q, struct store_job *job);

/* Calls `done` of every job that has run, in order. `done` may free its job and submit more; what
 * it submits is left for the next reap, so that this one ends. */
void store_queue_reap(struct store_queue *q);

/* True if the store does not block: a caller may run a job's work at once with store_queue_store(),
 * which saves it the coroutine's parking. Else the store is the other thread's. */
bool store_queue_inline(const struct store_queue *q);
struct store *store_queue_store(struct store_queue *q);

#endif
