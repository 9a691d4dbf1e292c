/* What `lunask status` prints of the answer to GET /status. */
#ifndef LUNASK_CLI_STATUS_WORDS_H
#define LUNASK_CLI_STATUS_WORDS_H

#include "base/buf.h"
#include "base/error.h"

/* Adds the words for `json` (host/status.h), of a host that answered at `address`; `now_s` is the
 * time, in seconds since 1970. A broken reload comes first. Returns 0 if all is well, 1 if the
 * newest scripts do not load; or -1 with `error` if this is no status of lunask. Nothing in the
 * answer can drive a terminal. */
int status_words_write(struct bytes json, const char *address, int64_t now_s, struct buf *out,
                       struct error *error);

#endif
