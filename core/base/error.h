/* Why something failed, in words a person can act on. The caller passes a struct error; functions
 * that return -1 have filled it in.
 *
 * A layer that knows more puts its words in front, with a second struct error for the reason from
 * below, because a text cannot be written over itself:
 *
 *   struct error reason;
 *   if (listen_read(text, &host, &port, &reason) != 0)
 *       return error_set(error, "%s: %s", path, reason.text); */
#ifndef LUNASK_BASE_ERROR_H
#define LUNASK_BASE_ERROR_H

struct error {
    /* One line, no full stop. Cut when longer, maybe within a code point: json_write_string and the
     * log can take that. */
    char text[1024];
};

/* Writes the reason and returns -1, so that `return error_set(e, …)` reads well. `e` may be NULL,
 * for callers who only want to know whether. No argument may point into `e`. */
int error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
