/* The questions that a call puts to its client together, and the answers as they come in.
 *
 * Words. **round**: one or more questions that go out at once; the handler goes on when each has
 * its answer. **open**: without an answer yet. */
#ifndef LUNASK_CALL_ROUND_H
#define LUNASK_CALL_ROUND_H

#include "call/client.h"
#include "call/journal.h"
#include "script/run.h"

struct question {
    struct buf key, method, params;          /* params: canonical JSON, or empty for none */
    bool required;                           /* as there */
    struct buf capabilities;                 /* as in struct run_question */
    unsigned char digest[SEAL_DIGEST_BYTES]; /* over all that the person will see */
    struct bytes answer;                     /* JSON text in the journal; {NULL, 0}: open */
    int64_t id;                              /* legacy: of the request that was sent; 0: none */
};

struct round {
    struct question *questions;
    size_t n;
};

/* Puts `n` questions in place of those of the last round, all of them open. One without a key is
 * named by `asked`, the number of questions that this run has come to, which is counted on. Returns
 * 0, or -1 with `error` if a key is no UTF-8 or there twice. */
int round_set(struct round *r, const struct run_question *questions, size_t n, unsigned *asked,
              struct error *error);
void round_free(struct round *r);

/* Gives every question that the journal has an answer for its answer. Returns how many are open. */
size_t round_take(struct round *r, struct journal *j);

size_t round_open(const struct round *r);

/* Adds the capabilities that the open questions need and `client` lacks, separated by spaces, each
 * once. */
void round_missing(const struct round *r, const struct client *client, struct buf *out);

/* Notes in the journal that the open questions are asked. Returns 0, or -1 with the first question
 * that it would not take (see journal_ask). */
int round_note(const struct round *r, struct journal *j, const struct question **refused_r);

/* Adds the answer of the one question, or the answers of all as an array; none may be open. */
void round_write_answers(const struct round *r, struct buf *out);

#endif
