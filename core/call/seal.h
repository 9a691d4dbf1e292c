/* The sealed requestState: a journal that travels through a client that is not trusted.
 *
 *   v1.KEYID.NONCE.CIPHERTEXT     each part strict canonical base64url without padding
 *   └──── head ────┘              authenticated with the ciphertext (XChaCha20-Poly1305, libsodium)
 *
 *   inside: call_id 16 │ issued 8 │ expires 8 │ arguments 32 │ method │ target │ principal │
 *           audience │ payload    (integers big-endian; texts behind their length, pack.h)
 *
 * The first key seals, every key opens (rotation). Nonces are 192 random bits, so no instance has
 * to count them. What the state is bound to is inside and compared on opening: principal, expiry
 * and an identifier of the request, as MCP asks (2026-07-28 basic/patterns/mrtr, "Server
 * Requirements"), and the audience, so that two servers may share a key. Whoever presents it learns
 * only that it did not open; the fault is for the log.
 *
 * A seal keeps a state whole and secret, not single: the same one may be presented again as long as
 * it is valid. That its call then finishes only once is the ledger's work (ledger.h). */
#ifndef LUNASK_CALL_SEAL_H
#define LUNASK_CALL_SEAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "call/keys.h"

#include <stdint.h>

enum {
    SEAL_DIGEST_BYTES = 32,
    SEAL_CALL_ID_BYTES = 16,
    SEAL_STATE_BYTES = 64 * 1024, /* of the whole text: a journal of about 48 KiB */
    SEAL_SKEW_MS = 60 * 1000,     /* how far the clocks of two instances may differ */
};

/* What a state is good for: the request that it may come back with. Views are borrowed; from
 * seal_open they live in the arena. */
struct seal_claim {
    struct bytes method;                        /* "tools/call" */
    struct bytes target;                        /* the tool's name */
    struct bytes principal;                     /* empty when nobody authenticates */
    struct bytes audience;                      /* the server's name */
    unsigned char arguments[SEAL_DIGEST_BYTES]; /* seal_digest of the canonical arguments */
    unsigned char call_id[SEAL_CALL_ID_BYTES];
    int64_t issued_ms, expires_ms; /* wall clock */
};

/* In the order they are looked for: of several, the first one is told. To the client all of them
 * are one and the same error: which one it was would help whoever tries out changes. */
enum seal_fault {
    SEAL_OK,
    SEAL_MALFORMED, /* not the form above; also what our key sealed, but in another layout */
    SEAL_UNKNOWN_KEY,
    SEAL_TAMPERED,
    SEAL_OTHER_METHOD,
    SEAL_OTHER_TARGET,
    SEAL_OTHER_ARGUMENTS,
    SEAL_OTHER_PRINCIPAL,
    SEAL_OTHER_AUDIENCE,
    SEAL_EXPIRED, /* now is at expires_ms or later, or SEAL_SKEW_MS before issued_ms or earlier */
    SEAL_FAULTS,
};

/* "tampered", "other arguments" …: for the log and counters. */
const char *seal_fault_name(enum seal_fault fault);

/* BLAKE2b-256 of `text`: of canonical arguments, and of questions. */
void seal_digest(struct bytes text, unsigned char digest[SEAL_DIGEST_BYTES]);

/* Adds the sealed text of `payload` to `out`. Returns -1, adding nothing, if it would be longer
 * than SEAL_STATE_BYTES. Sealing the same twice gives two texts: the nonce is new each time. */
int seal_close(const struct seal_keys *keys, const struct seal_claim *claim, struct bytes payload,
               struct buf *out);

/* Opens `state` and compares it with `expected` (whose call_id and times are not read) at the time
 * `now_ms`. On SEAL_OK, *claim_r and *payload_r are set, in `arena`; otherwise both are empty. */
enum seal_fault seal_open(const struct seal_keys *keys, struct bytes state,
                          const struct seal_claim *expected, int64_t now_ms, struct arena *arena,
                          struct seal_claim *claim_r, struct bytes *payload_r);

#endif
