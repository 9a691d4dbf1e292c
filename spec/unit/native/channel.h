/* A channel without a transport behind it: what the host does with an exchange is written down.
 *
 * The exchange and all it points to are freed as soon as it has ended and channel_sweep is called,
 * so that AddressSanitizer sees whoever holds on to one for too long. */
#ifndef LUNASK_SPEC_CHANNEL_H
#define LUNASK_SPEC_CHANNEL_H

#include <lauxlib.h>

#include "base/buf.h"
#include "call/exchange.h"

/* What came out, kept for as long as Lua has it. */
struct channel_record {
    struct channel_exchange *open; /* NULL once the exchange is freed */
    bool streams;                  /* the client accepts an event stream */
    int replies, opened, closed, gone_told;
    int status, retry_after_s;
    struct buf body, session_id;
    struct buf events, ids; /* each ends in a line break; ids have those without a message too */
    const char *misuse;     /* what the host did against the legal order, or NULL */
};

struct channel_header {
    struct bytes name, value;
    struct channel_header *next;
};

struct channel_exchange {
    struct exchange x; /* first */
    struct channel_record *record;
    struct channel_header *headers;
    struct arena memory; /* headers, body, principal: they live as long as the exchange */
    struct channel_exchange *next, **link;
};

/* Pushes a record whose exchange is filled in from the table at `at`, { verb, body, headers (false:
 * a transport without), principal, streams (true) }, and links it in at *list. [-0, +1] */
struct channel_exchange *channel_push(lua_State *L, int at, struct channel_exchange **list);

/* Frees those on the list that have ended. */
void channel_sweep(struct channel_exchange **list);

/* The client leaves: ends and frees it. */
void channel_leave(struct channel_exchange *e);

#endif
