/* Legacy sessions: what a client said in initialize, and what hangs off it.
 *
 * A session is used as long as a request is being handled, a call is parked or a stream is open;
 * idle for settings.session_idle seconds, it is gone. Ids are 128 random bits in hex: nobody
 * guesses one, and a stolen one opens nothing for another principal.
 *
 * Sessions are in this process alone: they end with it, and can't be served by another instance. */
#ifndef LUNASK_ERAS_SESSION_H
#define LUNASK_ERAS_SESSION_H

#include "call/call.h"
#include "call/uris.h"
#include "eras/replay.h"

struct legacy_stream;

/* Calls and streams point to it; who ends it lets go of both first (legacy.c). */
struct session {
    char id[33];      /* hex digits and NUL; visible ASCII, as MCP wants it */
    char *principal;  /* whose it is; empty when nobody authenticates */
    char version[16]; /* negotiated */
    struct client client;
    struct arena arena;                  /* the client's tape and text */
    struct call *calls;                  /* linked by sibling */
    struct legacy_stream *streams, *own; /* all; the one that GET opens, or NULL */
    int64_t lines;                       /* connections that carry one of them, or a request */
    struct replay replay;                /* events for clients that come back */
    uint32_t tag;                        /* in the ids of its events */
    int64_t next_stream, next_event;
    unsigned lists;               /* of enum offer_list, that it was told of */
    struct uris resources;        /* it subscribed to */
    int64_t next_question;        /* ids of the requests we send */
    int64_t used_ms;              /* monotonic, when it was last used */
    struct session *next, **link; /* of its bucket */
};

struct sessions;

struct sessions *sessions_new(void);
void sessions_free(struct sessions *s); /* every session must be gone */
size_t sessions_count(const struct sessions *s);

/* Makes a session. `capabilities` and `info` are tapes of the caller's; their text is copied. */
struct session *sessions_add(struct sessions *s, struct bytes principal, struct bytes version,
                             const struct json *info, const struct json *capabilities);

/* Returns the session of that id and principal, or NULL. That of another principal is not found
 * either: whether it exists is not theirs to know. */
struct session *sessions_find(struct sessions *s, struct bytes id, struct bytes principal);

/* Removes and frees it; its calls and its streams must be gone. */
void sessions_remove(struct sessions *s, struct session *session);

/* Calls `visit` for each; it may remove the one it is given. */
void sessions_each(struct sessions *s, void (*visit)(void *arg, struct session *session),
                   void *arg);

/* True while something of the session goes on. */
bool sessions_busy(const struct session *session);

/* A call enters and leaves its session. */
void sessions_enter(struct session *session, struct call *c);
void sessions_leave(struct session *session, struct call *c);

#endif
