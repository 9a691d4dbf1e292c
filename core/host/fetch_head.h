/* The headers of ctx:fetch: those of a script, checked so that none can be two, and those of a
 * response. */
#ifndef LUNASK_HOST_FETCH_HEAD_H
#define LUNASK_HOST_FETCH_HEAD_H

#include "base/buf.h"
#include "base/error.h"

#include <curl/curl.h>

/* `json` is an object of strings. Returns -1 with `error`, which is for the script's author, where
 * it is not, a name is no token, a value has a control character, both together take more than
 * `most` bytes, or a header is libcurl's to write (Host, Content-Length, …). */
int fetch_head_check(struct bytes json, size_t most, struct error *error);

/* Returns the headers of a request as libcurl takes them, owned (curl_slist_free_all). `foreign`
 * leaves out all but those that can hold no secret: another server than the one meant gets them. */
struct curl_slist *fetch_head_list(struct bytes json, bool foreign, bool has_body);

/* Adds lines of "Name: value" as an object of lower-cased names; values of the same name are joined
 * by ", ". */
void fetch_head_write(struct bytes lines, struct buf *out);

#endif
