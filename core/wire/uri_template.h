/* URI templates (RFC 6570) read backwards: which values of the variables give this URI?
 *
 *   docs://{section}/{page}      {name}: a run of bytes without '/', '?' and '#', at least one
 *   file:///{+path}              {+name}: a run of any bytes, at least one
 *   search://{index}{?q,limit}   {?a,b}: at the end only; each may be missing, in any order
 *
 * That is what MCP's templates use of the RFC; the rest of it (other operators, several names in
 * one pair of braces, ':3', '*') is refused when a template is compiled. Where more than one split
 * fits, earlier variables take as much as they can. Values are percent-decoded after the split, so
 * "%2F" in {name} gives a '/', and ".." or a NUL may come out: what a value may be is for whoever
 * uses it to check. */
#ifndef LUNASK_WIRE_URI_TEMPLATE_H
#define LUNASK_WIRE_URI_TEMPLATE_H

#include "base/buf.h"
#include "base/error.h"

enum {
    URI_TEMPLATE_VARIABLES = 16,
    URI_TEMPLATE_URI_BYTES = 8192, /* longer URIs match nothing */
};

struct uri_template;

/* Compiles `text`, which must begin with a scheme. Returns owned, or NULL with `error`. */
struct uri_template *uri_template_new(struct bytes text, struct error *error);
void uri_template_free(struct uri_template *t);

/* The names of its variables, in their order. */
size_t uri_template_count(const struct uri_template *t);
struct bytes uri_template_variable(const struct uri_template *t, size_t i);

/* Returns how many bytes stand for themselves: of two templates that match, the one with more is
 * the more specific. */
size_t uri_template_literals(const struct uri_template *t);

/* Returns true if the template gives `uri`, with {"name":"value",…} added to `json` for each
 * variable that is in it. False, with nothing added, also for what is malformed: a '%' without two
 * hexadecimal digits, a value that is not UTF-8 once decoded, a parameter of the query that is
 * unknown or comes twice. Takes time and memory of the length times the number of parts. */
bool uri_template_match(const struct uri_template *t, struct bytes uri, struct buf *json);

#endif
