#include "call/journal.h"

#include "base/mem.h"
#include "call/pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1, /* another one is malformed: the client begins anew */
    TIME_WIDTH = 8,
    COUNT_WIDTH = 4,
    LENGTH_WIDTH = 4, /* what pack_text puts before a text */
    HEAD_BYTES = 1 + SEAL_CALL_ID_BYTES + TIME_WIDTH + JOURNAL_SEED_BYTES + 2 * COUNT_WIDTH,
};

void journal_start(struct journal *j, struct entropy *entropy, int64_t started_ms)
{
    *j = (struct journal){.started_ms = started_ms};
    entropy_take(entropy, j->call_id, sizeof j->call_id);
    entropy_take(entropy, j->seed, sizeof j->seed);
}

void journal_free(struct journal *j)
{
    if (!j) return;
    free(j->entries);
    arena_free(&j->arena);
    *j = (struct journal){0};
}

void journal_rewind(struct journal *j)
{
    j->cursor = 0;
    for (size_t i = 0; i < j->n; i++)
        j->entries[i].taken = false;
}

static bool is_question(const struct journal_entry *entry)
{
    return entry->kind != JOURNAL_ONCE;
}

static bool asks(const struct journal_entry *entry, struct bytes key, const unsigned char *digest)
{
    return is_question(entry) && bytes_equal(entry->key, key) &&
           memcmp(entry->digest, digest, SEAL_DIGEST_BYTES) == 0;
}

/* An open question gives nothing, and stays untaken: its answer may yet come in this run. */
static struct bytes take(struct journal_entry *entry)
{
    if (entry->kind == JOURNAL_OPEN) return (struct bytes){NULL, 0};
    entry->taken = true;
    return entry->json;
}

/* From the first question that is not the one that was answered, the run is another one than that
 * which the person saw: no later answer may be spent in it, however well it seems to fit. What is
 * before `from` this run has itself asked. */
static void drop_questions(struct journal *j, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < j->n; i++)
        if (!is_question(&j->entries[i])) j->entries[kept++] = j->entries[i];
    j->n = kept;
}

struct bytes journal_take(struct journal *j, struct bytes key,
                          const unsigned char digest[SEAL_DIGEST_BYTES])
{
    /* Questions of one round are answered in any order: what this run has asked, and whose answer
     * has come since, stands before the cursor. */
    for (size_t i = 0; i < j->cursor; i++) {
        struct journal_entry *entry = &j->entries[i];
        if (!entry->taken && asks(entry, key, digest)) return take(entry);
    }
    while (j->cursor < j->n && !is_question(&j->entries[j->cursor]))
        j->cursor++;
    if (j->cursor < j->n && asks(&j->entries[j->cursor], key, digest))
        return take(&j->entries[j->cursor++]);
    drop_questions(j, j->cursor);
    return (struct bytes){NULL, 0};
}

/* Returns a new entry at the end, or NULL when there is no room for its name or for itself. Its key
 * is a view still: whoever pushes copies it into the arena, if it isn't there. */
static struct journal_entry *push(struct journal *j, enum journal_kind kind, struct bytes key)
{
    if (key.n > JOURNAL_NAME_BYTES || j->n == JOURNAL_ENTRIES) return NULL;
    if (j->n == j->cap) {
        j->cap = j->cap ? j->cap * 2 : 8;
        j->entries = mem_realloc(j->entries, j->cap * sizeof *j->entries);
    }
    struct journal_entry *entry = &j->entries[j->n++];
    *entry = (struct journal_entry){.kind = kind, .key = key};
    return entry;
}

/* The client names a question by its key alone; that at most one of a key is open at a time (see
 * journal_ask) makes this the one that it was shown. */
static struct journal_entry *find_open(struct journal *j, struct bytes key)
{
    for (size_t i = 0; i < j->n; i++) {
        struct journal_entry *entry = &j->entries[i];
        if (entry->kind == JOURNAL_OPEN && bytes_equal(entry->key, key)) return entry;
    }
    return NULL;
}

int journal_ask(struct journal *j, struct bytes key, const unsigned char digest[SEAL_DIGEST_BYTES])
{
    struct journal_entry *entry = find_open(j, key);
    if (entry) return asks(entry, key, digest) ? 0 : -1;
    entry = push(j, JOURNAL_OPEN, key);
    if (!entry) return -1;
    entry->key = arena_copy(&j->arena, key);
    memcpy(entry->digest, digest, SEAL_DIGEST_BYTES);
    j->cursor = j->n; /* asked by this run; journal_take dropped whatever stood here */
    return 0;
}

int journal_answer(struct journal *j, struct bytes key, struct bytes json)
{
    assert(json.n > 0);
    struct journal_entry *entry = find_open(j, key);
    if (!entry) return -1;
    entry->kind = JOURNAL_ANSWER;
    entry->json = arena_copy(&j->arena, json);
    return 0;
}

struct bytes journal_once(const struct journal *j, struct bytes name)
{
    for (size_t i = 0; i < j->n; i++) {
        const struct journal_entry *entry = &j->entries[i];
        if (entry->kind == JOURNAL_ONCE && bytes_equal(entry->key, name)) return entry->json;
    }
    return (struct bytes){NULL, 0};
}

int journal_set_once(struct journal *j, struct bytes name, struct bytes json)
{
    assert(json.n > 0);
    if (journal_once(j, name).p) return -1;
    struct journal_entry *entry = push(j, JOURNAL_ONCE, name);
    if (!entry) return -1;
    entry->key = arena_copy(&j->arena, name);
    entry->json = arena_copy(&j->arena, json);
    return 0;
}

/* An entry is its kind, its key, the digest of a question, and the JSON text unless it is open. */
static bool has_json(const struct journal_entry *entry)
{
    return entry->kind != JOURNAL_OPEN;
}

size_t journal_size(const struct journal *j)
{
    size_t size = HEAD_BYTES;
    for (size_t i = 0; i < j->n; i++) {
        const struct journal_entry *entry = &j->entries[i];
        size += 1 + LENGTH_WIDTH + entry->key.n;
        if (is_question(entry)) size += SEAL_DIGEST_BYTES;
        if (has_json(entry)) size += LENGTH_WIDTH + entry->json.n;
    }
    return size;
}

/* The version comes first, so that a later layout is told apart before anything else is believed;
 * all is of one width or behind its length, so that one journal has one form. */
void journal_encode(const struct journal *j, struct buf *out)
{
    pack_int(out, VERSION, 1);
    pack_raw(out, j->call_id, sizeof j->call_id);
    pack_int(out, (uint64_t)j->started_ms, TIME_WIDTH);
    pack_raw(out, j->seed, sizeof j->seed);
    pack_int(out, j->rounds, COUNT_WIDTH);
    pack_int(out, j->n, COUNT_WIDTH);
    for (size_t i = 0; i < j->n; i++) {
        const struct journal_entry *entry = &j->entries[i];
        pack_int(out, entry->kind, 1);
        pack_text(out, entry->key);
        if (is_question(entry)) pack_raw(out, entry->digest, sizeof entry->digest);
        if (has_json(entry)) pack_text(out, entry->json);
    }
}

/* The key and the JSON text stay views into the arena's copy of what is read: with at least 10
 * bytes an entry, memory grows with the input and never with what the input claims. */
static int read_entry(struct pack_reader *r, struct journal *j)
{
    uint64_t kind = pack_read_int(r, 1);
    struct bytes key = pack_read_text(r);
    if (r->failed || kind > JOURNAL_ONCE) return -1;
    struct journal_entry *entry = push(j, (enum journal_kind)kind, key);
    if (!entry) return -1;
    if (is_question(entry)) pack_read_raw(r, entry->digest, sizeof entry->digest);
    if (has_json(entry)) {
        entry->json = pack_read_text(r);
        if (entry->json.n == 0) return -1;
    }
    return r->failed ? -1 : 0;
}

static int read_journal(struct pack_reader *r, struct journal *j)
{
    if (pack_read_int(r, 1) != VERSION) return -1;
    pack_read_raw(r, j->call_id, sizeof j->call_id);
    j->started_ms = (int64_t)pack_read_int(r, TIME_WIDTH);
    pack_read_raw(r, j->seed, sizeof j->seed);
    j->rounds = (uint32_t)pack_read_int(r, COUNT_WIDTH);
    uint64_t n = pack_read_int(r, COUNT_WIDTH);
    for (uint64_t i = 0; i < n; i++)
        if (read_entry(r, j) != 0) return -1;
    return pack_end(r) ? 0 : -1;
}

int journal_decode(struct bytes data, struct journal *j)
{
    *j = (struct journal){0};
    struct pack_reader r = {arena_copy(&j->arena, data), false};
    if (read_journal(&r, j) == 0) return 0;
    journal_free(j);
    return -1;
}
