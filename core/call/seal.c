#include "call/seal.h"

#include "call/base64url.h"
#include "call/pack.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum {
    NONCE_BYTES = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG_BYTES = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    TIME_WIDTH = 8,
};

_Static_assert(KEYS_KEY_BYTES == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "size of a key");
_Static_assert(SEAL_DIGEST_BYTES == crypto_generichash_BYTES, "size of a digest");

/* A state taken apart. Sizes are those of the bytes behind the base64url. */
struct parts {
    struct bytes head; /* the text before the last dot */
    unsigned char id[KEYS_ID_BYTES];
    unsigned char nonce[NONCE_BYTES];
    unsigned char *sealed; /* ciphertext and tag, in the arena */
    size_t n;
};

const char *seal_fault_name(enum seal_fault fault)
{
    static const char *const names[SEAL_FAULTS] = {
        [SEAL_OK] = "ok",
        [SEAL_MALFORMED] = "malformed",
        [SEAL_UNKNOWN_KEY] = "unknown key",
        [SEAL_TAMPERED] = "tampered",
        [SEAL_OTHER_METHOD] = "other method",
        [SEAL_OTHER_TARGET] = "other target",
        [SEAL_OTHER_ARGUMENTS] = "other arguments",
        [SEAL_OTHER_PRINCIPAL] = "other principal",
        [SEAL_OTHER_AUDIENCE] = "other audience",
        [SEAL_EXPIRED] = "expired",
    };
    assert(fault < SEAL_FAULTS);
    return names[fault];
}

void seal_digest(struct bytes text, unsigned char digest[SEAL_DIGEST_BYTES])
{
    crypto_generichash(digest, SEAL_DIGEST_BYTES, (const unsigned char *)text.p, text.n, NULL, 0);
}

/* Each text stands behind its length: no two claims, and no claim with a payload, look alike. */
static void pack_claim(const struct seal_claim *claim, struct buf *out)
{
    pack_raw(out, claim->call_id, sizeof claim->call_id);
    pack_int(out, (uint64_t)claim->issued_ms, TIME_WIDTH);
    pack_int(out, (uint64_t)claim->expires_ms, TIME_WIDTH);
    pack_raw(out, claim->arguments, sizeof claim->arguments);
    pack_text(out, claim->method);
    pack_text(out, claim->target);
    pack_text(out, claim->principal);
    pack_text(out, claim->audience);
}

/* Runs behind the authentication, but trusts nothing: another version that holds the same key may
 * have sealed something of another layout. */
static int unpack(struct bytes plain, struct seal_claim *claim_r, struct bytes *payload_r)
{
    struct pack_reader r = {plain, false};
    pack_read_raw(&r, claim_r->call_id, sizeof claim_r->call_id);
    claim_r->issued_ms = (int64_t)pack_read_int(&r, TIME_WIDTH);
    claim_r->expires_ms = (int64_t)pack_read_int(&r, TIME_WIDTH);
    pack_read_raw(&r, claim_r->arguments, sizeof claim_r->arguments);
    claim_r->method = pack_read_text(&r);
    claim_r->target = pack_read_text(&r);
    claim_r->principal = pack_read_text(&r);
    claim_r->audience = pack_read_text(&r);
    *payload_r = pack_read_text(&r);
    return pack_end(&r) ? 0 : -1;
}

/* Encrypts `plain` behind the head that `out` ends in from `start` on. Into a buf of its own first:
 * making room in `out` would move the head, which is authenticated with it. */
static void encrypt(const struct seal_key *key, const unsigned char *nonce, struct bytes plain,
                    size_t start, struct buf *out)
{
    struct buf sealed = {0};
    unsigned char *to = (unsigned char *)buf_reserve(&sealed, plain.n + TAG_BYTES);
    unsigned long long n = 0;
    crypto_aead_xchacha20poly1305_ietf_encrypt(to, &n, (const unsigned char *)plain.p, plain.n,
                                               (const unsigned char *)out->p + start,
                                               out->n - start, NULL, nonce, key->key);
    buf_addc(out, '.');
    base64url_add(out, to, (size_t)n);
    buf_free(&sealed);
}

int seal_close(const struct seal_keys *keys, const struct seal_claim *claim, struct bytes payload,
               struct buf *out)
{
    assert(keys->n > 0);
    /* Before anything is copied and encrypted; whether it really fits is known at the end. */
    if (payload.n > SEAL_STATE_BYTES) return -1;
    const struct seal_key *key = &keys->keys[0]; /* the first one seals */
    unsigned char nonce[NONCE_BYTES];
    randombytes_buf(nonce, sizeof nonce);

    struct buf plain = {0};
    pack_claim(claim, &plain);
    pack_text(&plain, payload);
    size_t start = out->n;
    buf_addz(out, "v1.");
    base64url_add(out, key->id, sizeof key->id);
    buf_addc(out, '.');
    base64url_add(out, nonce, sizeof nonce);
    encrypt(key, nonce, buf_bytes(&plain), start, out);
    buf_free(&plain);

    if (out->n - start <= SEAL_STATE_BYTES) return 0;
    out->n = start;
    return -1;
}

/* The texts of id and nonce are of one length each, given by the strict decoding of just so many
 * bytes; only the last part varies, and is bounded by the whole. */
static int read_parts(struct bytes state, struct arena *arena, struct parts *parts)
{
    struct bytes version, id, nonce, sealed, more;
    size_t id_n = 0, nonce_n = 0;
    struct bytes rest = state;
    if (state.n > SEAL_STATE_BYTES || !bytes_split(&rest, '.', &version) ||
        !bytes_split(&rest, '.', &id) || !bytes_split(&rest, '.', &nonce) ||
        !bytes_split(&rest, '.', &sealed) || bytes_split(&rest, '.', &more))
        return -1;
    if (!bytes_equal(version, BYTES("v1")) ||
        base64url_read(id, parts->id, sizeof parts->id, &id_n) != 0 || id_n != sizeof parts->id ||
        base64url_read(nonce, parts->nonce, sizeof parts->nonce, &nonce_n) != 0 ||
        nonce_n != sizeof parts->nonce)
        return -1;
    /* The text as it came, not as it decodes: strict base64url has one text for each run of
     * bytes. */
    parts->head = (struct bytes){state.p, (size_t)(sealed.p - state.p) - 1};
    parts->sealed = arena_alloc(arena, sealed.n + 1);
    if (base64url_read(sealed, parts->sealed, sealed.n, &parts->n) != 0) return -1;
    return parts->n > TAG_BYTES ? 0 : -1; /* a tag alone would be an empty claim */
}

/* Ids are no secret (name_key in keys.c), so memcmp does. */
static const struct seal_key *find_key(const struct seal_keys *keys, const unsigned char *id)
{
    for (size_t i = 0; i < keys->n; i++)
        if (memcmp(keys->keys[i].id, id, KEYS_ID_BYTES) == 0) return &keys->keys[i];
    return NULL;
}

/* Decrypts in place. */
static int decrypt(const struct seal_key *key, struct parts *parts, struct bytes *plain_r)
{
    unsigned long long n = 0;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(parts->sealed, &n, NULL, parts->sealed, parts->n,
                                                   (const unsigned char *)parts->head.p,
                                                   parts->head.n, parts->nonce, key->key) != 0)
        return -1;
    *plain_r = (struct bytes){(const char *)parts->sealed, (size_t)n};
    return 0;
}

/* How long it takes tells nothing about where two texts part. */
static bool same(struct bytes a, struct bytes b)
{
    return a.n == b.n && (a.n == 0 || sodium_memcmp(a.p, b.p, a.n) == 0);
}

/* What it is for comes before its time: that an old state is also a stolen one is what the log
 * should tell. */
static enum seal_fault compare(const struct seal_claim *claim, const struct seal_claim *expected,
                               int64_t now_ms)
{
    if (!same(claim->method, expected->method)) return SEAL_OTHER_METHOD;
    if (!same(claim->target, expected->target)) return SEAL_OTHER_TARGET;
    if (sodium_memcmp(claim->arguments, expected->arguments, SEAL_DIGEST_BYTES) != 0)
        return SEAL_OTHER_ARGUMENTS;
    if (!same(claim->principal, expected->principal)) return SEAL_OTHER_PRINCIPAL;
    if (!same(claim->audience, expected->audience)) return SEAL_OTHER_AUDIENCE;
    if (now_ms >= claim->expires_ms || claim->issued_ms > now_ms + SEAL_SKEW_MS)
        return SEAL_EXPIRED;
    return SEAL_OK;
}

enum seal_fault seal_open(const struct seal_keys *keys, struct bytes state,
                          const struct seal_claim *expected, int64_t now_ms, struct arena *arena,
                          struct seal_claim *claim_r, struct bytes *payload_r)
{
    struct parts parts;
    struct bytes plain;
    struct seal_claim claim;
    struct bytes payload;
    *claim_r = (struct seal_claim){0};
    *payload_r = (struct bytes){NULL, 0};
    /* Each step needs the one before: no byte inside is looked at before the tag was found
     * right. */
    if (read_parts(state, arena, &parts) != 0) return SEAL_MALFORMED;
    const struct seal_key *key = find_key(keys, parts.id);
    if (!key) return SEAL_UNKNOWN_KEY;
    if (decrypt(key, &parts, &plain) != 0) return SEAL_TAMPERED;
    if (unpack(plain, &claim, &payload) != 0) return SEAL_MALFORMED;
    enum seal_fault fault = compare(&claim, expected, now_ms);
    if (fault != SEAL_OK) return fault;
    *claim_r = claim;
    *payload_r = payload;
    return SEAL_OK;
}
