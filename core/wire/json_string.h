/* The strings of JSON text: where one ends, and what it says. For the parser and the writer.
 *
 * In two steps, because most strings have no escapes: the scan finds the end and judges everything
 * but the escapes; only where there are some does the decoding need memory. */
#ifndef LUNASK_WIRE_JSON_STRING_H
#define LUNASK_WIRE_JSON_STRING_H

#include "wire/json.h"

/* Returns how many bytes at the front of `text` stand for themselves both read and written: ASCII
 * without controls, DEL, quote and backslash. */
size_t json_string_plain(struct bytes text);

/* Finds the end of the string that begins at text.p[0], which is its opening quote. Returns 0 with
 * the bytes it takes, both quotes included, and whether it has escapes; everything else in it is
 * then valid. Returns -1 with *error filled, `at` counted from text.p. */
int json_string_scan(struct bytes text, size_t *size_r, bool *escaped_r, struct json_error *error);

/* Writes what a scanned string says. `inside` is the text between its quotes, `out` has room for
 * inside.n bytes (no escape is shorter than what it stands for). Returns 0 with the bytes written,
 * or -1 with *error filled, `at` counted from inside.p. */
int json_string_decode(struct bytes inside, char *out, size_t *size_r, struct json_error *error);

#endif
