/* Callbacks: a browser that comes back from a URL, and what it brings to the call that sent it.
 *
 *   ctx:callback()        → public_url/callback/TOKEN, for the URL that the person is sent to
 *   GET or POST of it     → what it brought becomes a row, once; a page says that all is done
 *   ctx:await_callback()  → the row; if it isn't there yet, the call waits for it
 *
 * A token is a seal (seal.h) of the call's id with a time after which it is no good: nobody can
 * make one up, nothing has to be kept for a call that only might be called back, and any instance
 * that has the key and the store can answer. The row is what makes it single: the second visit
 * finds it there. Rows stay until their token is no good any more, so there are no more of them
 * than there were calls in that time, nor than CALLBACKS_ROWS. */
#ifndef LUNASK_CALL_CALLBACKS_H
#define LUNASK_CALL_CALLBACKS_H

#include "call/call.h"

enum { CALLBACKS_ROWS = 10000 };

/* Owner and collection of the rows; no script has such a name. */
#define CALLBACKS_OWNER      "/callback"
#define CALLBACKS_COLLECTION "arrived"

/* Adds the address of a callback of `c`. Returns 0, or -1 with `error` if there is none because no
 * public_url is set. */
int callbacks_url(const struct call *c, struct buf *out, struct error *error);

/* Adds the key of the row of `c`. */
void callbacks_key(const struct call *c, struct buf *out);

/* Handles the visit of a browser: x->token, x->body with the parameters as a JSON object, or empty
 * if they are too many. Replies with a page, in the end. */
void callbacks_feed(struct exchange *x);

#endif
