/* What an operator can set, as plain data: read from flags, environment and file by host/config,
 * looked at by every layer above. Each key of the file is documented in host/config.c's table.
 *
 * It stands here, below host, so that calls and eras can read it. Texts are owned by the struct
 * (config_free) and never change while a host runs, so views of them may be kept. */
#ifndef LUNASK_CALL_SETTINGS_H
#define LUNASK_CALL_SETTINGS_H

#include "call/seal.h"
#include "wire/origin.h"

struct grants;

struct settings {
    char *name, *version, *instructions; /* serverInfo; instructions may be NULL */
    char *scripts;                       /* folder */
    char *config;                        /* the file of the settings, whether it is there or not */
    char *listen_host;
    int listen_port; /* 0: the system picks one */
    char *store;     /* memory: or a path */
    struct origin_list *allowed_origins;
    char **allowed_hosts;     /* NULL-terminated, beside the loopback names; may be NULL */
    bool allow_remote_status; /* /status and /metrics for others than this machine */
    bool allow_unauthenticated;
    struct seal_keys keys;
    char *public_url;      /* how browsers reach this host, without a slash at its end; or NULL */
    struct grants *grants; /* what scripts may reach; NULL: nothing */

    int64_t body_limit;     /* bytes of a request body */
    int64_t connections;    /* open at once */
    int64_t calls;          /* handlers running at once; over it 503 */
    int64_t parked_calls;   /* legacy calls waiting for an answer */
    int64_t sessions;       /* legacy sessions, and modern subscriptions beside them */
    int64_t session_idle;   /* s */
    int64_t replay_limit;   /* bytes of events a session keeps for clients that come back */
    int64_t answer_timeout; /* s a person may think */
    int64_t state_ttl;      /* s a requestState opens */
    int64_t task_ttl;       /* s a task is kept from its beginning on */
    int64_t call_timeout;   /* s of the host's own time a call */
    int64_t rounds;         /* questions one after another in a call */
    int64_t vm_memory;      /* bytes a script may hold */
    int64_t vm_cpu;         /* ms of CPU a run between two questions, and a load */
    int64_t list_ttl;       /* ms a client may keep a list (ttlMs) */
    int64_t page_size;      /* of a list */
    int64_t resource_ttl;   /* ms a client may keep a resource whose script does not say */
};

#endif
