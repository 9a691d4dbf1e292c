/* Event streams of a session that outlive the connections they are read on (2025-11-25
 * basic/transports, "Resumability and Redelivery").
 *
 * Words. **stream**: the events of one POSTed request, or the session's own, which GET opens.
 * **line**: the exchange whose connection carries a stream now; it may have none. **face**: the
 * exchange that the request is handled with in place of the line. It has the life of the stream, so
 * methods, calls and notices reply to it and need not know who is connected.
 *
 *   call ─→ face ─→ replay (session) ─→ line ─→ connection
 *                                       ↑ a GET with Last-Event-ID becomes the new one
 *
 * The id of an event is TAG-STREAM-NUMBER: a random tag of the session, so that an id of another
 * session is known for one; the stream; and a number that rises through all of the session. A
 * client of 2025-11-25 gets a first id before any message, with the time to wait before it comes
 * again ("prime the client to reconnect"). Older ones take that event, whose data is empty, for a
 * message that is none, so the first id they get is that of the first message.
 *
 * A stream has one line. A GET with Last-Event-ID gets what is left of the events behind that id
 * (replay.h), of that stream alone, and takes the line over: who had it is cut off, since nothing
 * may be sent twice. The same holds for the session's own stream: of several GETs the newest is
 * read. Behind the result of its request a stream is over; it can be read again for as long as the
 * session keeps its events. */
#ifndef LUNASK_ERAS_LEGACY_STREAM_H
#define LUNASK_ERAS_LEGACY_STREAM_H

#include "eras/session.h"

/* Returns the face to handle the request of `x` with; `x`, of a transport that has streams to
 * resume, becomes its line. A client that leaves before the stream was opened can't find it again:
 * then the face is told that it is gone. */
struct exchange *legacy_stream_begin(struct session *session, struct exchange *x);

/* Handles a GET: opens the session's own stream, or with Last-Event-ID takes up any. Refused, with
 * all as it was: an id that is of no stream of this session, or of one that is forgotten (400); a
 * client that accepts no stream. */
void legacy_stream_listen(struct session *session, struct exchange *x);

/* Sends `message` on the session's own stream. Without a line it waits for the client to come back;
 * a client that never opened it does not hear of it. */
void legacy_stream_tell(struct session *session, struct bytes message);

/* Lets go of the connection of a request's face without ending its stream: a client of 2025-11-25
 * comes back for the rest. Returns false, with nothing done, if there is no such client. */
bool legacy_stream_pause(struct exchange *face);

/* Frees what nobody can come back for. Not while a face is in use further up the stack. */
void legacy_stream_sweep(struct session *session);

/* Closes the session's own line: the host stops. */
void legacy_stream_close_own(struct session *session);

/* Frees all streams of a session whose calls have ended. */
void legacy_stream_end_all(struct session *session);

#endif
