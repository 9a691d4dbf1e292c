/* MCP 2025-11-25, 2025-06-18 and 2025-03-26: sessions, and questions pushed while the call waits.
 *
 * A question goes out as elicitation/create on the call's own event stream; the answering POST
 * resumes the coroutine, which was really parked. A disconnect is no cancellation (2025-11-25
 * basic/transports, "Sending Messages to the Server"): the call goes on, and an answer that comes
 * on another connection is as good.
 *
 *   POST initialize     → session id in Mcp-Session-Id, which every later request carries
 *   POST tools/call     → a JSON reply; or a stream: elicitation/create … the result
 *   POST {id, result}   → 202; the call whose question has that id goes on
 *   GET                 → the session's own stream; with Last-Event-ID any of the session, from
 *                         there on (legacy_stream.h)
 *   DELETE              → 204; everything of the session ends
 *
 * The versions differ little for a server: batches are of 2025-03-26 alone. */
#ifndef LUNASK_ERAS_LEGACY_H
#define LUNASK_ERAS_LEGACY_H

#include "call/era.h"
#include "call/service.h"

extern const struct era LEGACY;

struct legacy;

struct legacy *legacy_new(void);    /* returns owned */
void legacy_free(struct legacy *l); /* after legacy_stop and the end of the last call */

/* Handles a POST whose body is `root`: one message, or a batch where 2025-03-26 was negotiated. */
void legacy_post(struct exchange *x, const struct json *root);

/* Handles a GET (the session's stream) and a DELETE (its end). */
void legacy_get(struct exchange *x);
void legacy_delete(struct exchange *x);

/* Removes sessions that have been idle for too long; `now_ms` is clock_mono_ms(). A client that
 * comes back gets 404 and must initialize again ("Session Management"). */
void legacy_tick(struct service *s, int64_t now_ms);

/* Returns how many sessions there are. */
int64_t legacy_sessions(const struct service *s);

/* Tell sessions on their own streams (legacy_stream.h): that `lists`, a set of enum offer_list,
 * have other answers now, each session of those that it was told of in initialize; and that a
 * resource has changed, those that subscribed to it. */
void legacy_lists_changed(struct service *s, unsigned lists);
void legacy_resource_updated(struct service *s, struct bytes uri);

/* Tells every parked call that the host is going, and ends every session but those with a call that
 * still runs: they are left to legacy_free. */
void legacy_stop(struct service *s);

#endif
