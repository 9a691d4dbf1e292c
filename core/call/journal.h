/* All that a call has learned from outside, in order: what makes a replay come to the same place.
 *
 * Words. **entry**: one thing learned: an answer, a question still open, or a `once` value.
 * **run**: the handler from its top on; a replay is a new run. **cursor**: how far this run has
 * come in the questions; before it stand those that this run has asked, in that order.
 *
 * An answer is kept with the digest of the exact question that was shown. A replay that asks
 * something else meets a digest that differs: that answer and all later ones are dropped, and the
 * person is asked again. `once` values are never dropped: what they record has happened.
 *
 * Asking, in both eras:
 *
 *   json = journal_take(key, digest)      an answer: go on with it
 *   journal_ask(key, digest)              none: the question goes out
 *   journal_answer(key, json)             it came; then take again, in this run or in the next
 *
 * Several questions in one round: take and ask for each, then send those that are open.
 *
 * A replay after two answers and a third question that was left open:
 *
 *   entries  answer q1 │ once "id" │ answer q2 │ open q3
 *   cursor   ↑ rewound: q1 is asked and taken, then "id" is read by its name, q2 is taken, q3 is
 *              asked again as its answer did not come
 *
 * The encoded form (pack.h), which is the payload of a seal:
 *
 *   version 1 │ call_id 16 │ started_ms 8 │ seed 16 │ rounds 4 │ n 4 │ n entries:
 *     kind 1 │ key │ digest 32 (not of ONCE) │ json (not of OPEN) */
#ifndef LUNASK_CALL_JOURNAL_H
#define LUNASK_CALL_JOURNAL_H

#include "call/entropy.h"
#include "call/seal.h"

enum {
    JOURNAL_SEED_BYTES = 16,
    JOURNAL_NAME_BYTES = 128, /* of a question's key and of a once name */
    JOURNAL_ENTRIES = 1024,   /* all lookups walk them; the seal's 64 KiB mostly end sooner */
};

/* The numbers are part of the encoded form. */
enum journal_kind {
    JOURNAL_ANSWER, /* key, digest of the question, the client's result as JSON text */
    JOURNAL_OPEN,   /* key, digest: asked, not answered */
    JOURNAL_ONCE,   /* name, value as JSON text */
};

struct journal_entry {
    enum journal_kind kind;
    bool taken; /* an answer that this run has been given */
    struct bytes key;
    unsigned char digest[SEAL_DIGEST_BYTES]; /* zero for ONCE */
    struct bytes json;                       /* empty for OPEN */
};

struct journal {
    unsigned char call_id[SEAL_CALL_ID_BYTES]; /* random; the same in every run of the call */
    int64_t started_ms; /* wall clock: the time that os.time() tells in this call */
    unsigned char seed[JOURNAL_SEED_BYTES]; /* of math.random */
    uint32_t rounds;                        /* replies with questions so far; the caller counts */
    struct journal_entry *entries;
    size_t n, cap;
    size_t cursor;      /* index of the first entry that this run has not come to */
    struct arena arena; /* what the entries point to */
};

/* Starts the journal of a new call: id and seed from `entropy`, `started_ms` as given. Free it with
 * journal_free, or hand it on (call_start takes one). */
void journal_start(struct journal *j, struct entropy *entropy, int64_t started_ms);

/* Leaves *j empty; also legal on one that is all zero. */
void journal_free(struct journal *j);

/* Puts the cursor back to the start: the handler runs again from the top. */
void journal_rewind(struct journal *j);

/* Takes the answer for the question (key, digest) and returns its JSON text, which lives as long as
 * the journal. Looks first among the questions that this run has asked and not been given an
 * answer for, then at the one at the cursor, and moves the cursor behind that. Returns {NULL, 0}
 * for "not answered: ask" if that question is still open, which is kept; if it is another one, it
 * and all later ones, answered or open, are dropped (ONCE entries stay). */
struct bytes journal_take(struct journal *j, struct bytes key,
                          const unsigned char digest[SEAL_DIGEST_BYTES]);

/* Notes that the question is being asked; call it after a journal_take that gave nothing. Changes
 * nothing if that very question is open. Returns 0, or -1, noting nothing, if `key` is longer than
 * JOURNAL_NAME_BYTES, if another question of that key is open (an answer could then be taken for
 * the wrong one), or if there are JOURNAL_ENTRIES already. */
int journal_ask(struct journal *j, struct bytes key, const unsigned char digest[SEAL_DIGEST_BYTES]);

/* Turns the open question `key` into an answered one; `json` is not empty and is copied. Returns -1
 * if none of that key is open. */
int journal_answer(struct journal *j, struct bytes key, struct bytes json);

/* Returns the recorded value of `once` name, or {NULL, 0}. */
struct bytes journal_once(const struct journal *j, struct bytes name);

/* Records it; `json` is not empty and is copied. Returns 0, or -1, recording nothing, if `name` is
 * longer than JOURNAL_NAME_BYTES or has a value, or if there are JOURNAL_ENTRIES already. */
int journal_set_once(struct journal *j, struct bytes name, struct bytes json);

/* Returns how many bytes journal_encode adds: for the limit on journals. */
size_t journal_size(const struct journal *j);

/* Adds the binary form to `out`; it has a version byte, and lengths are checked on reading. The
 * cursor is not part of it: what is read is rewound. */
void journal_encode(const struct journal *j, struct buf *out);

/* Reads it into *j (which the caller frees). Returns -1 if it is malformed; *j is then empty. */
int journal_decode(struct bytes data, struct journal *j);

#endif
