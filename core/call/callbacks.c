#include "call/callbacks.h"

#include "base/clock.h"
#include "base/mem.h"
#include "wire/json.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_CHARS = 2 * SEAL_CALL_ID_BYTES,
    PURGED = 20, /* rows looked at for each that is added: old ones go faster than new ones come */
    MOST_WRITES = PURGED + 1,
};

/* One visit, from the token to the page. */
struct visit {
    struct store_job job;
    struct service *service;
    struct exchange *x; /* NULL once the browser has left */
    unsigned char call_id[SEAL_CALL_ID_BYTES];
    char key[KEY_CHARS + 1];
    struct buf row;
    bool used, full, failed;
    struct error error;
    int64_t now_ms;
    struct arena arena;
    struct store_write writes[MOST_WRITES];
    size_t n;
};

static void write_key(const unsigned char call_id[SEAL_CALL_ID_BYTES], char key[KEY_CHARS + 1])
{
    sodium_bin2hex(key, KEY_CHARS + 1, call_id, SEAL_CALL_ID_BYTES);
}

void callbacks_key(const struct call *c, struct buf *out)
{
    char key[KEY_CHARS + 1];
    write_key(c->journal.call_id, key);
    buf_addz(out, key);
}

static struct seal_claim claim_of(const struct service *s)
{
    struct seal_claim claim = {.method = BYTES("callback"),
                               .audience = bytes_of(s->settings->name)};
    seal_digest(BYTES(""), claim.arguments);
    return claim;
}

/* How long a person may take, in either era. */
static int64_t life_ms(const struct settings *settings)
{
    int64_t longest = settings->state_ttl > settings->answer_timeout ? settings->state_ttl
                                                                     : settings->answer_timeout;
    return longest * 1000;
}

int callbacks_url(const struct call *c, struct buf *out, struct error *error)
{
    const struct settings *settings = c->service->settings;
    struct seal_claim claim = claim_of(c->service);
    if (!settings->public_url)
        return error_set(error, "ctx:callback: browsers have no address of this host; add to "
                                "host.lua: public_url = \"https://the.name.they.know.it.by\"");
    memcpy(claim.call_id, c->journal.call_id, sizeof claim.call_id);
    claim.issued_ms = clock_wall_ms();
    claim.expires_ms = claim.issued_ms + life_ms(settings);
    buf_printf(out, "%s/callback/", settings->public_url);
    return seal_close(&settings->keys, &claim, BYTES(""), out);
}

static void reply(struct exchange *x, int status, const char *title, const char *text)
{
    struct buf page = {0};
    buf_printf(&page,
               "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>%s</title>\n"
               "<h1>%s</h1>\n<p>%s</p>\n</html>\n",
               title, title, text);
    exchange_reply(x, &(struct reply){.status = status, .body = buf_bytes(&page), .page = true});
    buf_free(&page);
}

/* One page for all that is no good, so that it tells nobody which tokens there were. */
static void reply_not_found(struct exchange *x)
{
    reply(x, 404, "Not found", "This address is not, or no longer, in use.");
}

/* A row that can't be read goes, too. */
static int add_if_old(void *arg, struct bytes key, struct bytes value)
{
    struct visit *v = arg;
    struct arena arena = {0};
    struct json_error fault;
    int64_t expires_ms = 0;
    json_int(json_get(json_parse(&arena, value, &JSON_LIMITS, &fault), "expires"), &expires_ms);
    arena_free(&arena);
    if (expires_ms > v->now_ms) return 0;
    v->writes[v->n++] = (struct store_write){.kind = STORE_DELETE,
                                             .script = BYTES(CALLBACKS_OWNER),
                                             .collection = BYTES(CALLBACKS_COLLECTION),
                                             .key = arena_copy(&v->arena, key)};
    return 0;
}

static int note_visit(struct visit *v, struct store *store)
{
    const struct bytes owner = BYTES(CALLBACKS_OWNER), rows = BYTES(CALLBACKS_COLLECTION);
    struct buf known = {0};
    int64_t count;
    int result = store_get(store, owner, rows, bytes_of(v->key), &known, &v->used, &v->error);
    buf_free(&known);
    if (result != 0 || v->used) return result;
    if (store_list(store, owner, rows, BYTES(""), PURGED, add_if_old, v, &v->error) != 0 ||
        store_count(store, owner, rows, &count, &v->error) != 0)
        return -1;
    v->full = count - (int64_t)v->n >= CALLBACKS_ROWS;
    if (!v->full)
        v->writes[v->n++] = (struct store_write){.kind = STORE_PUT,
                                                 .script = owner,
                                                 .collection = rows,
                                                 .key = bytes_of(v->key),
                                                 .value = buf_bytes(&v->row)};
    return store_commit(store, v->writes, v->n, &v->error);
}

static struct visit *of_job(struct store_job *job)
{
    return (struct visit *)(void *)((char *)job - offsetof(struct visit, job));
}

static void run(struct store_job *job, struct store *store)
{
    struct visit *v = of_job(job);
    v->failed = note_visit(v, store) != 0;
}

static void answer(struct visit *v)
{
    if (v->failed)
        reply(v->x, 500, "Something went wrong", "Go back and try again.");
    else if (v->used)
        reply_not_found(v->x);
    else if (v->full)
        reply(v->x, 503, "Too many at once", "Wait a little, then load this page again.");
    else
        reply(v->x, 200, "Done", "You can close this window and go back to where you were.");
}

static void done(struct store_job *job)
{
    struct visit *v = of_job(job);
    if (v->failed) log_line(v->service->log, LOG_ERROR, "a callback: %s", v->error.text);
    if (v->x) {
        v->x->owner = NULL;
        answer(v);
    }
    if (!v->failed && !v->used && !v->full)
        call_called_back(v->service, v->call_id, buf_bytes(&v->row));
    buf_free(&v->row);
    arena_free(&v->arena);
    free(v);
}

static void gone(struct exchange *x)
{
    struct visit *v = x->owner;
    if (v) v->x = NULL;
}

/* Only who is told when the browser leaves. */
static const struct era BROWSER = {.text = "browser", .gone = gone};

static void begin(struct exchange *x, const struct seal_claim *claim)
{
    struct visit *v = mem_alloc(sizeof *v);
    v->service = x->service;
    v->x = x;
    v->now_ms = clock_wall_ms();
    memcpy(v->call_id, claim->call_id, sizeof v->call_id);
    write_key(v->call_id, v->key);
    buf_printf(&v->row, "{\"expires\":%lld,\"params\":", (long long)claim->expires_ms);
    buf_add(&v->row, x->body);
    buf_addc(&v->row, '}');
    v->job = (struct store_job){.run = run, .done = done};
    x->owner = v;
    store_queue_submit(x->service->store, &v->job);
}

void callbacks_feed(struct exchange *x)
{
    struct seal_claim expected = claim_of(x->service), claim;
    struct bytes payload;
    x->era = &BROWSER;
    x->owner = NULL;
    if (seal_open(&x->service->settings->keys, x->token, &expected, clock_wall_ms(), &x->arena,
                  &claim, &payload) != SEAL_OK)
        reply_not_found(x);
    else if (x->body.n == 0)
        reply(x, 413, "Too much", "More came along with this address than it can take.");
    else
        begin(x, &claim);
}
