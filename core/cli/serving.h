/* The life of a host process, over whatever transport: loop, worker, signals, watch, the end.
 *
 *   serving_open → the transport is made on s->loop → serving_arm → (the host says that it serves)
 *   → serving_loop, which returns when all has ended
 *
 * It ends on SIGTERM, SIGINT or serving_stop: what runs is finished, then what is on its way out is
 * given DRAIN_MOST_MS. SIGHUP reloads the scripts. */
#ifndef LUNASK_CLI_SERVING_H
#define LUNASK_CLI_SERVING_H

#include "base/log.h"
#include "host/watch.h"
#include "host/worker.h"

struct serving_transport {
    void (*quiesce)(void *transport);    /* no new messages */
    bool (*idle)(const void *transport); /* nothing is on its way out */
    void (*free)(void *transport);
};

struct serving {
    struct settings settings;
    struct log log;
    bool watching;   /* reload when a script is saved */
    bool supervised; /* somebody else counts the signals and ends this process at the second */
    uv_loop_t loop;
    struct worker *worker;

    /* serving.c's own. */
    const struct serving_transport *ops;
    void *transport;
    uv_signal_t terminate, interrupt, hangup;
    uv_timer_t drain;
    struct watch *watch;
    bool stopping;
    int64_t drain_until_ms;
};

/* Takes store and scripts. */
void serving_open(struct serving *s, struct store *store, struct generation *scripts);

/* From here on signals do what is said above. Takes `transport`. */
void serving_arm(struct serving *s, const struct serving_transport *ops, void *transport);

void serving_loop(struct serving *s);
void serving_stop(struct serving *s);

#endif
