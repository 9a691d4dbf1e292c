/* What a call tells its client before it has a result: notifications/progress and
 * notifications/message (2026-07-28 basic/patterns/progress and server/utilities/logging; the same
 * in 2025-11-25).
 *
 * They go where the reply will go, so the first of them makes that an event stream. A client that
 * accepts no stream, or has left, is not told: neither is worth failing a call for. Nothing can
 * follow the result, since the call is gone by then.
 *
 * Progress is sent only if the request brought a progressToken, and only as long as it increases
 * ("MUST increase with each notification"): one that does not is left out. It is not an error
 * either: a share of the work done, rounded, stays the same now and then, and no call should end
 * for what is only looked at. So that a script in a loop does not flood its client, a call has
 * NOTICES_BURST notifications at once and NOTICES_PER_SECOND after that; of those in between the
 * newest is kept, and sent when its time has come or the handler has returned.
 *
 * Log messages are what scripts pass to ctx:log, never a line of the host's own log, and only those
 * as severe as the client asked for (client.h). Who asked for none gets none. */
#ifndef LUNASK_CALL_NOTICES_H
#define LUNASK_CALL_NOTICES_H

#include "base/buf.h"
#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    NOTICES_BURST = 20,
    NOTICES_PER_SECOND = 20,
    NOTICES_LOG_BYTES = 64 * 1024, /* of data sent by one run */
};

struct call;
struct json;

struct notices {
    char *token;        /* JSON text of the progressToken; NULL: nobody wants to hear of progress */
    bool begun, fell;   /* progress was told; it went back, which the host's log has told once */
    double progress;    /* the last */
    int64_t left;       /* what may be sent now, in thousandths of a notification */
    int64_t left_at_ms; /* when that was true */
    struct buf held;    /* params of the newest progress that had to wait; empty: none */
    size_t logged_bytes; /* of NOTICES_LOG_BYTES */
};

/* Reads the token of the request's `params` (may be NULL). Neither a string nor an integer, it is
 * taken for none: a token like that could not be sent back. */
void notices_open(struct notices *n, const struct json *params);
void notices_close(struct notices *n);

/* Tells c's client of progress: `value`, and `members` as the text of a JSON object that has it
 * with total and message. */
void notices_progress(struct call *c, double value, struct bytes members);

/* Tells c's client what a script logs: plain text, or the text of any JSON value. */
void notices_log(struct call *c, enum log_level level, struct bytes text, bool is_json);

/* Sends what was held back: all of it, or if its time has come (`now_ms` is clock_mono_ms). */
void notices_flush(struct call *c);
void notices_tick(struct call *c, int64_t now_ms);

#endif
