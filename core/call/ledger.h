/* The ledger: which calls have finished, with their results. It makes a call that asked finish at
 * most once, however often the client sends the answers, and to however many hosts of one store.
 *
 *   retry ──→ ledger_look ──→ OPEN: the handler runs ──→ ledger_commit ─┬→ 0: its result is sent
 *                        │                                              └→ STORE_CHANGED: look
 * again ├→ SAME: the result that was kept is sent, nothing runs └→ OTHER: refused, the call has
 * finished with other answers
 *
 * A claim is a row that expects not to be there, committed together with the call's writes. Which
 * answers a call finished with is told by a digest over its questions and answers, so that the same
 * retry is known from one that changed its mind. Rows go once the states that could still bring the
 * call back have expired; each commit sweeps a few. */
#ifndef LUNASK_CALL_LEDGER_H
#define LUNASK_CALL_LEDGER_H

#include "call/journal.h"
#include "call/staging.h"

struct ledger_claim {
    bool needed; /* the call was asked something and answered: it may come again */
    unsigned char call_id[SEAL_CALL_ID_BYTES];
    unsigned char answers[SEAL_DIGEST_BYTES];
};

enum ledger_verdict { LEDGER_OPEN, LEDGER_SAME, LEDGER_OTHER };

enum ledger_kind {
    LEDGER_RESULT,
    LEDGER_REFUSED, /* the handler returned nil and maybe a reason (refusal.h) */
    LEDGER_FAILED,  /* it raised an error */
    LEDGER_TASK,    /* it goes on as a task, of which RESULT's members tell */
    LEDGER_LARGE,   /* it is not known what: more than STORE_VALUE_BYTES */
};

/* What a call finished with. */
struct ledger_result {
    enum ledger_kind kind;
    struct bytes fields, meta; /* RESULT: its members as JSON text without braces, and its _meta
                                  object, empty if there is none */
    struct bytes text;         /* REFUSED, FAILED: what may be told */
};

/* Reads the claim of a journal that came back with a request, its answers put in. */
void ledger_read(const struct journal *j, struct ledger_claim *claim_r);

/* Returns 0 with the verdict; or -1 with `error` of the store. With LEDGER_SAME the result is in
 * `arena`. */
int ledger_look(struct store *store, const struct ledger_claim *claim, struct arena *arena,
                enum ledger_verdict *verdict_r, struct ledger_result *result_r,
                struct error *error);

/* What goes with a claim: the staged writes, and at most LEDGER_OWN of the host's own. */
enum { LEDGER_OWN = 2 };

struct ledger_writes {
    const struct staging *staging;
    const struct store_write *own;
    size_t own_n;
};

/* Commits the writes with the claim, which is kept until `expires_ms`. Returns as staging_commit
 * does: STORE_CHANGED also if somebody else has finished the call. */
int ledger_commit(struct store *store, const struct ledger_claim *claim,
                  const struct ledger_writes *with, const struct ledger_result *result,
                  int64_t now_ms, int64_t expires_ms, struct error *error);

#endif
