/* JSON as it goes out, straight into a buf: there is no tree in between. Commas and colons are the
 * caller's. Whatever is written here, json_parse takes back. */
#ifndef LUNASK_WIRE_JSON_WRITE_H
#define LUNASK_WIRE_JSON_WRITE_H

#include "base/buf.h"
#include "wire/json.h"

/* Writes a string with its quotes. Escapes `"`, `\`, C0 controls and DEL, U+2028 and U+2029 (so
 * that no log or script tag is broken); everything else as it is. `text` must be valid UTF-8
 * (utf8_valid); invalid bytes are written as U+FFFD. */
void json_write_string(struct buf *out, struct bytes text);

/* Writes a double so that it reads back the same, shortest of %.15g, %.16g and %.17g; an integral
 * value keeps a ".0" so that it stays a float for whoever tells them apart, as Lua does. Needs the
 * C locale's decimal point. Returns -1 and writes nothing for NaN and infinities, which JSON
 * lacks. */
int json_write_double(struct buf *out, double value);

/* Writes `v` without white space, numbers as they were written, members in their order. */
void json_write_value(struct buf *out, const struct json *v);

/* Writes `v` canonically: keys sorted bytewise, no white space, strings as json_write_string,
 * numbers in their normal form (json_number_write: 1.0 is 1, 1E-7 is 1e-7, -0 is 0, no digit is
 * lost). Two texts give the same bytes exactly when json_equal calls them equal, so a digest of
 * them names the value. This is what consent is bound to; RFC 8785 would round numbers to doubles
 * first, and two that a script can tell apart would get one digest. A change of this form makes
 * states that wait at clients fail to open. */
void json_write_canonical(struct buf *out, const struct json *v);

#endif
