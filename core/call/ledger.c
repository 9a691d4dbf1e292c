#include "call/ledger.h"

#include "wire/json_write.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* No script has a name that begins with a dot. */
static const struct bytes OWNER = BYTES_INIT(".lunask");
static const struct bytes COLLECTION = BYTES_INIT("finished");

enum {
    KEY_TEXT = 2 * SEAL_CALL_ID_BYTES + 1,
    DIGEST_TEXT = 2 * SEAL_DIGEST_BYTES + 1,
    SWEPT = 2, /* old rows a commit takes along: more than it makes */
};

/* The text that was sent may be spaced in another way, and still be the same answer. */
static void add_answer(struct buf *out, const struct journal_entry *entry)
{
    struct arena arena = {0};
    struct json_error fault;
    const struct json *v = json_parse(&arena, entry->json, &JSON_LIMITS, &fault);
    json_write_string(out, entry->key);
    buf_add(out, (struct bytes){(const char *)entry->digest, sizeof entry->digest});
    if (v) json_write_canonical(out, v);
    arena_free(&arena);
}

void ledger_read(const struct journal *j, struct ledger_claim *claim_r)
{
    struct buf text = {0};
    *claim_r = (struct ledger_claim){0};
    for (size_t i = 0; i < j->n; i++)
        if (j->entries[i].kind == JOURNAL_ANSWER) add_answer(&text, &j->entries[i]);
    claim_r->needed = text.n > 0;
    if (claim_r->needed) {
        memcpy(claim_r->call_id, j->call_id, sizeof claim_r->call_id);
        seal_digest(buf_bytes(&text), claim_r->answers);
    }
    buf_free(&text);
}

static struct bytes key_of(const struct ledger_claim *claim, char text[KEY_TEXT])
{
    sodium_bin2hex(text, KEY_TEXT, claim->call_id, sizeof claim->call_id);
    return (struct bytes){text, KEY_TEXT - 1};
}

static struct bytes digest_of(const struct ledger_claim *claim, char text[DIGEST_TEXT])
{
    sodium_bin2hex(text, DIGEST_TEXT, claim->answers, sizeof claim->answers);
    return (struct bytes){text, DIGEST_TEXT - 1};
}

/* A kind is written as the member that has what the call finished with. */
static void read_result(const struct json *row, struct ledger_result *r)
{
    const struct json *result = json_get(row, "result"), *meta = json_get(row, "meta");
    const struct json *task = json_get(row, "task");
    const struct json *refused = json_get(row, "refused"), *failed = json_get(row, "failed");
    *r = (struct ledger_result){.kind = LEDGER_LARGE};
    if (result || task) {
        struct bytes members = task ? task->raw : result->raw;
        r->kind = task ? LEDGER_TASK : LEDGER_RESULT;
        r->fields = (struct bytes){members.p + 1, members.n - 2};
        if (meta) r->meta = meta->raw;
    } else if (refused || failed) {
        r->kind = refused ? LEDGER_REFUSED : LEDGER_FAILED;
        r->text = json_string(refused ? refused : failed);
    }
}

static void read_row(struct bytes text, const struct ledger_claim *claim, struct arena *arena,
                     enum ledger_verdict *verdict_r, struct ledger_result *result_r)
{
    char digest[DIGEST_TEXT];
    struct json_error fault;
    const struct json *row = json_parse(arena, arena_copy(arena, text), &JSON_LIMITS, &fault);
    struct bytes answers = json_string(json_get(row, "answers"));
    *verdict_r = bytes_equal(answers, digest_of(claim, digest)) ? LEDGER_SAME : LEDGER_OTHER;
    read_result(row, result_r);
}

int ledger_look(struct store *store, const struct ledger_claim *claim, struct arena *arena,
                enum ledger_verdict *verdict_r, struct ledger_result *result_r, struct error *error)
{
    char key[KEY_TEXT];
    struct buf row = {0};
    bool found;
    *verdict_r = LEDGER_OPEN;
    *result_r = (struct ledger_result){0};
    int rc = store_get(store, OWNER, COLLECTION, key_of(claim, key), &row, &found, error);
    if (rc == 0 && found) read_row(buf_bytes(&row), claim, arena, verdict_r, result_r);
    buf_free(&row);
    return rc;
}

static void write_result(const struct ledger_result *r, struct buf *out)
{
    if (r->kind == LEDGER_RESULT || r->kind == LEDGER_TASK) {
        buf_addz(out, r->kind == LEDGER_TASK ? ",\"task\":{" : ",\"result\":{");
        buf_add(out, r->fields);
        buf_addc(out, '}');
        if (r->meta.n) buf_addz(out, ",\"meta\":");
        buf_add(out, r->meta);
    } else {
        buf_addz(out, r->kind == LEDGER_REFUSED ? ",\"refused\":" : ",\"failed\":");
        json_write_string(out, r->text);
    }
}

static void write_row(const struct ledger_claim *claim, const struct ledger_result *result,
                      int64_t expires_ms, struct buf *out)
{
    char digest[DIGEST_TEXT];
    size_t head;
    buf_addz(out, "{\"expires\":");
    buf_add_int(out, expires_ms);
    buf_addz(out, ",\"answers\":\"");
    buf_add(out, digest_of(claim, digest));
    buf_addc(out, '"');
    head = out->n;
    write_result(result, out);
    if (out->n >= STORE_VALUE_BYTES) out->n = head;
    buf_addc(out, '}');
}

/* The rows that a commit takes out, found by the order of their making, which is nearly that of
 * their expiry. */
struct sweep {
    struct store_write *writes;
    size_t *n;
    int64_t now_ms;
    struct arena *arena;
};

static int sweep_row(void *arg, struct bytes key, struct bytes value)
{
    struct sweep *s = arg;
    struct json_error fault;
    int64_t expires_ms = 0;
    const struct json *row = json_parse(s->arena, value, &JSON_LIMITS, &fault);
    if (json_int(json_get(row, "expires"), &expires_ms) && expires_ms > s->now_ms) return 1;
    s->writes[(*s->n)++] = (struct store_write){
        .kind = STORE_DELETE,
        .script = OWNER,
        .collection = COLLECTION,
        .key = arena_copy(s->arena, key),
    };
    return 0;
}

int ledger_commit(struct store *store, const struct ledger_claim *claim,
                  const struct ledger_writes *with, const struct ledger_result *result,
                  int64_t now_ms, int64_t expires_ms, struct error *error)
{
    char text[KEY_TEXT];
    struct bytes key = key_of(claim, text);
    struct buf row = {0};
    struct arena arena = {0};
    write_row(claim, result, expires_ms, &row);
    struct store_write writes[2 + LEDGER_OWN + SWEPT] = {
        {STORE_EXPECT, OWNER, COLLECTION, key, {NULL, 0}},
        {STORE_PUT, OWNER, COLLECTION, key, buf_bytes(&row)},
    };
    size_t n = 2;
    assert(with->own_n <= LEDGER_OWN);
    for (size_t i = 0; i < with->own_n; i++)
        writes[n++] = with->own[i];
    struct sweep sweep = {writes, &n, now_ms, &arena};
    int rc = store_list(store, OWNER, COLLECTION, (struct bytes){NULL, 0}, SWEPT, sweep_row, &sweep,
                        error);
    if (rc == 0) rc = staging_commit(with->staging, store, writes, n, error);
    buf_free(&row);
    arena_free(&arena);
    return rc;
}
