/* The servers that a script may fetch from: grants of the kind http.
 *
 *   api.example.com        https, port 443      *.example.com     any name below it
 *   api.example.com:8443   https, that port     http://10.0.0.5   plain http, that address
 *   local wiki.corp        a name that may lead to an address that is not public
 *
 * A name reaches public addresses only (wire/address.h), wherever it resolves to; an address that
 * is granted as such is granted whatever it is. All are kept and compared as origins
 * (wire/origin.h), so that no odd spelling of a host is another host. */
#ifndef LUNASK_SCRIPT_GRANTS_HTTP_H
#define LUNASK_SCRIPT_GRANTS_HTTP_H

#include "base/buf.h"
#include "base/error.h"

/* Adds the grant as it is kept, with its scheme: "https://api.example.com", "local
 * http://wiki.corp:8080". Returns -1 with the reason if it is none of the forms above. */
int grants_http_read(struct bytes text, struct buf *out, struct error *error);

/* Adds the origin of a URL that a script gave or a server redirected to: http or https, ASCII, no
 * userinfo. Returns -1 with `error` for any other, in which `what` ("ctx:fetch") is who was given
 * it.
 */
int grants_http_origin(struct bytes url, const char *what, struct buf *out, struct error *error);

/* Tells whether the grant covers the origin. */
bool grants_http_covers(struct bytes grant, struct bytes origin);

/* Tells whether the grant is for whatever address a name leads to: it names an address, or says
 * "local". */
bool grants_http_any_address(struct bytes grant);

#endif
