/* The events that a session keeps, so that a client which lost a connection can have those it
 * missed (2025-11-25 basic/transports, "Resumability and Redelivery").
 *
 * One list for all streams of a session, in the order of their sending, bounded in bytes and in
 * events: over either, the oldest go first, whichever stream they are of. An event that is larger
 * than the whole is not kept at all, and costs no other its place. */
#ifndef LUNASK_ERAS_REPLAY_H
#define LUNASK_ERAS_REPLAY_H

#include "base/bytes.h"

#include <stdint.h>

enum { REPLAY_EVENTS = 1000 };

/* A stream as the list knows it; plain data of its owner, which outlives its events. */
struct replay_stream {
    int64_t number;
    size_t kept; /* events of it on the list */
};

struct replay_event {
    struct replay_event *next;
    struct replay_stream *stream;
    int64_t number; /* rises along the list */
    size_t n;
    char text[]; /* the message */
};

/* All zero but for `limit` is an empty list. */
struct replay {
    size_t limit; /* bytes it may hold */
    struct replay_event *first, *last;
    size_t bytes, events;
};

/* Keeps a copy of `message`, which is not empty, as event `number` of `stream`, and drops what is
 * too much then. Returns false if it is too large to be kept. */
bool replay_add(struct replay *r, struct replay_stream *stream, int64_t number,
                struct bytes message);

/* Returns the first event of `stream` behind event `after`, or NULL; borrowed until the next
 * replay_add. */
const struct replay_event *replay_next(const struct replay *r, const struct replay_stream *stream,
                                       int64_t after);

void replay_free(struct replay *r);

#endif
