/* The keys that seal what waits at a client: read, made, kept in a file, wiped.
 *
 * The first key seals, every key opens. To rotate: put the new key first, wait until the last state
 * sealed with the old one has expired (settings.state_ttl), take the old one out. Instances that
 * serve the same clients share the keys, and all must be able to open with the new one before any
 * seals with it: there, append it first, then move it to the front.
 *
 * No error text holds any part of a key; what was read from a key file is wiped.
 * Whoever calls one of these first also starts libsodium; do so before there are threads. */
#ifndef LUNASK_CALL_KEYS_H
#define LUNASK_CALL_KEYS_H

#include "base/bytes.h"
#include "base/error.h"

enum {
    KEYS_KEY_BYTES = 32,  /* of XChaCha20-Poly1305 */
    KEYS_TEXT_BYTES = 44, /* a key as base64url, with its NUL */
    KEYS_ID_BYTES = 8,    /* enough to tell apart what one operator keeps */
};

struct seal_key {
    unsigned char key[KEYS_KEY_BYTES];
    unsigned char id[KEYS_ID_BYTES]; /* BLAKE2b of a fixed text under the key, truncated */
};

/* All zero is no key; whoever seals must have one. */
struct seal_keys {
    struct seal_key *keys; /* the first one seals */
    size_t n;
};

/* Reads keys from text: one key a line or a comma, strict base64url of 32 bytes each, the sealing
 * one first; `#` starts a comment. Returns -1, with *keys_r empty and an error that names the key
 * by its place, never by its text. */
int keys_read(struct bytes text, struct seal_keys *keys_r, struct error *error);

/* Loads the key file `path`, or makes one with a fresh key when there is none. The file must be
 * ours and of mode 0600 or stricter. Safe against two processes starting at once: the file appears
 * complete, under its name, at most once, and both read that one. Returns 0 or -1. */
int keys_load(const char *path, struct seal_keys *keys_r, struct error *error);

/* A fresh key that lives as long as the process: for `--store memory:`. */
void keys_fresh(struct seal_keys *keys_r);

/* Makes a key and writes it as keys_read takes it, with a NUL; to be wiped. */
void keys_new(char text_r[KEYS_TEXT_BYTES]);
void keys_wipe(char *text, size_t n);

/* Wipes and frees. */
void keys_free(struct seal_keys *keys);

#endif
