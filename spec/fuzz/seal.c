/* What comes back through a client: states, and the journals in them. The first byte of the input
 * decides what the rest is tried as. Whatever is found wrong here aborts. */
#include "base/mem.h"
#include "call/base64url.h"
#include "call/journal.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const int64_t now_ms = 1800000000000;

static void must(bool condition)
{
    if (!condition) abort();
}

static struct seal_keys fixed_keys(void)
{
    struct seal_keys keys;
    must(keys_read(BYTES("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"), &keys, NULL) == 0);
    return keys;
}

static struct seal_claim fixed_claim(void)
{
    struct seal_claim claim = {.method = BYTES_INIT("tools/call"),
                               .target = BYTES_INIT("rename"),
                               .audience = BYTES_INIT("lunask"),
                               .issued_ms = now_ms,
                               .expires_ms = now_ms + 600000};
    seal_digest(BYTES("{}"), claim.arguments);
    return claim;
}

/* Opens `state`; a payload that comes out is copied to `payload`. */
static enum seal_fault open_state(struct bytes state, struct buf *payload)
{
    struct seal_keys keys = fixed_keys();
    struct seal_claim expected = fixed_claim(), claim;
    struct arena arena = {0};
    struct bytes out;
    enum seal_fault fault = seal_open(&keys, state, &expected, now_ms, &arena, &claim, &out);
    must(fault < SEAL_FAULTS && *seal_fault_name(fault));
    must(fault == SEAL_OK || (!out.p && !claim.method.p));
    if (fault == SEAL_OK) buf_add(payload, out);
    arena_free(&arena);
    keys_free(&keys);
    return fault;
}

static void close_state(struct bytes payload, struct buf *out)
{
    struct seal_keys keys = fixed_keys();
    struct seal_claim claim = fixed_claim();
    if (seal_close(&keys, &claim, payload, out) != 0) must(out->n == 0);
    keys_free(&keys);
}

/* The rest is a state. */
static void try_text(struct bytes rest)
{
    struct buf payload = {0};
    open_state(rest, &payload);
    buf_free(&payload);
}

/* The rest is what our own key has sealed: the layout inside must be read with the same care. */
static void try_plain(struct bytes rest)
{
    struct seal_keys keys = fixed_keys();
    unsigned char nonce[crypto_aead_xchacha20poly1305_ietf_NPUBBYTES] = {0};
    unsigned char *sealed = mem_alloc(rest.n + crypto_aead_xchacha20poly1305_ietf_ABYTES);
    unsigned long long sealed_n = 0;
    struct buf state = {0}, payload = {0};
    buf_addz(&state, "v1.");
    base64url_add(&state, keys.keys->id, KEYS_ID_BYTES);
    buf_addc(&state, '.');
    base64url_add(&state, nonce, sizeof nonce);
    crypto_aead_xchacha20poly1305_ietf_encrypt(sealed, &sealed_n, (const unsigned char *)rest.p,
                                               rest.n, (const unsigned char *)state.p, state.n,
                                               NULL, nonce, keys.keys->key);
    buf_addc(&state, '.');
    base64url_add(&state, sealed, (size_t)sealed_n);
    must(open_state(buf_bytes(&state), &payload) != SEAL_TAMPERED);
    buf_free(&payload);
    buf_free(&state);
    free(sealed);
    keys_free(&keys);
}

/* Three bytes say where and how a good state of the rest is changed. */
static void try_mutated(struct bytes rest)
{
    if (rest.n < 3) return;
    size_t where = (size_t)(unsigned char)rest.p[0] << 8 | (unsigned char)rest.p[1];
    unsigned char mask = (unsigned char)rest.p[2];
    struct bytes payload = {rest.p + 3, rest.n - 3};
    struct buf state = {0}, back = {0};
    close_state(payload, &state);
    if (state.n) {
        must(open_state(buf_bytes(&state), &back) == SEAL_OK);
        must(bytes_equal(buf_bytes(&back), payload));
        state.p[where % state.n] = (char)(state.p[where % state.n] ^ mask);
        must((open_state(buf_bytes(&state), &back) == SEAL_OK) == (mask == 0));
        state.p[where % state.n] = (char)(state.p[where % state.n] ^ mask);
        must(open_state((struct bytes){state.p, where % state.n}, &back) != SEAL_OK);
    }
    buf_free(&back);
    buf_free(&state);
}

/* What was read is written as the same bytes. */
static void try_journal(struct bytes rest)
{
    struct journal j;
    struct buf again = {0};
    if (journal_decode(rest, &j) == 0) {
        must(journal_size(&j) == rest.n);
        journal_encode(&j, &again);
        must(bytes_equal(buf_bytes(&again), rest));
    } else {
        must(!j.entries && !j.arena.blocks);
    }
    journal_free(&j);
    buf_free(&again);
}

static void step(struct journal *j, unsigned char op)
{
    unsigned char digest[SEAL_DIGEST_BYTES] = {(unsigned char)(op >> 5 & 1)};
    const char name = (char)('a' + (op >> 3 & 3));
    struct bytes key = {&name, 1};
    switch (op & 7) {
    case 0:
    case 1:
    case 2:
        if (!journal_take(j, key, digest).p) journal_ask(j, key, digest);
        break;
    case 3:
    case 4:
        if (journal_answer(j, key, BYTES("1")) == 0) must(journal_answer(j, key, BYTES("1")) == -1);
        break;
    case 5:
        journal_set_once(j, key, BYTES("2"));
        must(bytes_equal(journal_once(j, key), BYTES("2")) || j->n == JOURNAL_ENTRIES);
        break;
    case 6:
        journal_rewind(j);
        break;
    default:
        journal_ask(j, key, digest);
        break;
    }
    must(j->cursor <= j->n && j->n <= JOURNAL_ENTRIES);
}

/* Each byte is something that a run does; a journal must come back the same at its end. */
static void try_run(struct bytes rest)
{
    struct journal j;
    struct buf encoded = {0};
    struct entropy entropy = {0};
    journal_start(&j, &entropy, now_ms);
    for (size_t i = 0; i < rest.n; i++)
        step(&j, (unsigned char)rest.p[i]);
    journal_encode(&j, &encoded);
    try_journal(buf_bytes(&encoded));
    buf_free(&encoded);
    journal_free(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static void (*const tries[])(struct bytes) = {try_text, try_plain, try_mutated, try_journal,
                                                  try_run};
    if (n == 0) return 0;
    tries[data[0] % (sizeof tries / sizeof *tries)]((struct bytes){(const char *)data + 1, n - 1});
    return 0;
}
