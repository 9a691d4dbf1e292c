/* MCP 2025-11-25, 2025-06-18 and 2025-03-26: sessions, and questions pushed while the call waits.
 *
 * A question goes out as elicitation/create on the call's own event stream; the answering POST
 * resumes the coroutine, which was really parked. A disconnect is no cancellation: the call goes
 * on, and an answer that comes on another connection is as good. */
#ifndef LUNASK_ERAS_LEGACY_H
#define LUNASK_ERAS_LEGACY_H

#include "call/era.h"
#include "call/service.h"

extern const struct era LEGACY;

struct legacy;

struct legacy *legacy_new(void);
void legacy_free(struct legacy *l); /* after legacy_stop */

/* Handles a POST whose body is `root`: one message, or a batch where 2025-03-26 was negotiated. */
void legacy_post(struct exchange *x, const struct json *root);

/* Handles a GET (the session's stream) and a DELETE (its end). */
void legacy_get(struct exchange *x);
void legacy_delete(struct exchange *x);

/* Removes sessions that have been idle for too long; `now_ms` is clock_mono_ms(). */
void legacy_tick(struct service *s, int64_t now_ms);

/* Tells every parked call that the host is going, and ends every session. */
void legacy_stop(struct service *s);

#endif
