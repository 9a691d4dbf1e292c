/* All that a call has learned from outside, in order: what makes a replay come to the same place.
 *
 * Words. **entry**: one thing learned: an answer, a question still open, or a `once` value.
 * **round**: one reply with questions. **cursor**: how many questions this run has asked so far;
 * the answers of a replay are taken in that order.
 *
 * An answer is kept with the digest of the exact question that was shown. A replay that asks
 * something else meets a digest that differs: that answer and all later ones are dropped, and the
 * person is asked again. `once` values are never dropped: what they record has happened. */
#ifndef LUNASK_CALL_JOURNAL_H
#define LUNASK_CALL_JOURNAL_H

#include "call/seal.h"

enum {
    JOURNAL_SEED_BYTES = 16,
    JOURNAL_NAME_BYTES = 128, /* of a question's key and of a once name */
};

enum journal_kind {
    JOURNAL_ANSWER, /* key, digest of the question, the client's result as JSON text */
    JOURNAL_OPEN,   /* key, digest: asked, not answered */
    JOURNAL_ONCE,   /* name, value as JSON text */
};

struct journal_entry {
    enum journal_kind kind;
    struct bytes key;
    unsigned char digest[SEAL_DIGEST_BYTES]; /* zero for ONCE */
    struct bytes json;                       /* empty for OPEN */
};

struct journal {
    unsigned char call_id[SEAL_CALL_ID_BYTES];
    int64_t started_ms; /* wall clock: the time that os.time() tells in this call */
    unsigned char seed[JOURNAL_SEED_BYTES]; /* of math.random */
    uint32_t rounds;
    struct journal_entry *entries;
    size_t n, cap;
    size_t cursor;      /* index of the next entry that an ask may take */
    struct arena arena; /* what the entries point to */
};

/* Starts the journal of a new call: fresh id and seed, `started_ms` as given. */
void journal_start(struct journal *j, int64_t started_ms);
void journal_free(struct journal *j);

/* Puts the cursor back to the start: the handler runs again from the top. */
void journal_rewind(struct journal *j);

/* Takes the next answer for the question (key, digest) if the journal has it at the cursor, and
 * moves the cursor behind it; returns its JSON text. Otherwise drops every answer and open question
 * from the cursor on (ONCE entries stay) and returns {NULL, 0}: ask. An OPEN entry at the cursor
 * with the same key and digest is "not answered yet": also {NULL, 0}. */
struct bytes journal_take(struct journal *j, struct bytes key,
                          const unsigned char digest[SEAL_DIGEST_BYTES]);

/* Notes that the question is being asked. The cursor stays before it. */
void journal_ask(struct journal *j, struct bytes key,
                 const unsigned char digest[SEAL_DIGEST_BYTES]);

/* Turns the open question `key` into an answered one. Returns -1 if none of that key is open. */
int journal_answer(struct journal *j, struct bytes key, struct bytes json);

/* Returns the recorded value of `once` name, or {NULL, 0}. */
struct bytes journal_once(const struct journal *j, struct bytes name);
void journal_set_once(struct journal *j, struct bytes name, struct bytes json);

/* Adds the binary form to `out`; it has a version byte, and lengths are checked on reading. */
void journal_encode(const struct journal *j, struct buf *out);

/* Reads it into *j (which the caller frees). Returns -1 if it is malformed; *j is then empty. */
int journal_decode(struct bytes data, struct journal *j);

#endif
