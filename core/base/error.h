/* Why something failed, in words a person can act on. The caller passes a struct error; functions
 * that return -1 have filled it in. */
#ifndef LUNASK_BASE_ERROR_H
#define LUNASK_BASE_ERROR_H

struct error {
    char text[1024]; /* one line, no full stop, cut when longer */
};

/* Writes the reason and returns -1, so that `return error_set(e, …)` reads well. `e` may be NULL.
 */
int error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
