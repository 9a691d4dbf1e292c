#include "call/round.h"

#include "base/mem.h"
#include "wire/utf8.h"

#include <stdlib.h>

void round_free(struct round *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct question *q = &r->questions[i];
        buf_free(&q->key);
        buf_free(&q->method);
        buf_free(&q->params);
        buf_free(&q->capabilities);
    }
    free(r->questions);
    *r = (struct round){0};
}

static void set_question(struct question *q, const struct run_question *from, unsigned number)
{
    struct buf whole = {0};
    buf_add(&q->key, from->key);
    if (from->key.n == 0) buf_printf(&q->key, "q%u", number);
    buf_add(&q->method, from->method);
    buf_add(&q->params, from->params);
    buf_add(&q->capabilities, from->capabilities);
    q->required = from->required;
    buf_add(&whole, from->method);
    buf_addc(&whole, '\n');
    buf_add(&whole, from->params);
    seal_digest(buf_bytes(&whole), q->digest);
    buf_free(&whole);
}

static bool is_repeated(const struct round *r, size_t at)
{
    struct bytes key = buf_bytes(&r->questions[at].key);
    for (size_t i = 0; i < at; i++)
        if (bytes_equal(key, buf_bytes(&r->questions[i].key))) return true;
    return false;
}

int round_set(struct round *r, const struct run_question *questions, size_t n, unsigned *asked,
              struct error *error)
{
    round_free(r);
    r->questions = mem_alloc(n * sizeof *r->questions);
    for (; r->n < n; r->n++) {
        set_question(&r->questions[r->n], &questions[r->n], ++*asked);
        struct bytes key = buf_bytes(&r->questions[r->n].key);
        if (!utf8_valid(key)) { /* it would come back as something else */
            r->n++;
            return error_set(error, "a question's key must be UTF-8");
        }
        if (is_repeated(r, r->n)) {
            r->n++;
            return error_set(error, "two questions of a round have the key '%.*s'", BYTES_ARG(key));
        }
    }
    return 0;
}

size_t round_take(struct round *r, struct journal *j)
{
    for (size_t i = 0; i < r->n; i++) {
        struct question *q = &r->questions[i];
        if (!q->answer.n) q->answer = journal_take(j, buf_bytes(&q->key), q->digest);
    }
    return round_open(r);
}

size_t round_open(const struct round *r)
{
    size_t open = 0;
    for (size_t i = 0; i < r->n; i++)
        if (!r->questions[i].answer.n) open++;
    return open;
}

static bool is_word_of(struct bytes list, struct bytes wanted)
{
    struct bytes word;
    while (bytes_split(&list, ' ', &word))
        if (bytes_equal(word, wanted)) return true;
    return false;
}

void round_missing(const struct round *r, const struct client *client, struct buf *out)
{
    struct bytes needed;
    for (size_t i = 0; i < r->n; i++) {
        struct bytes rest = buf_bytes(&r->questions[i].capabilities);
        if (r->questions[i].answer.n) continue;
        while (bytes_split(&rest, ' ', &needed)) {
            if (client_supports(client, needed) || is_word_of(buf_bytes(out), needed)) continue;
            if (out->n) buf_addc(out, ' ');
            buf_add(out, needed);
        }
    }
}

int round_note(const struct round *r, struct journal *j, const struct question **refused_r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct question *q = &r->questions[i];
        *refused_r = q;
        if (!q->answer.n && journal_ask(j, buf_bytes(&q->key), q->digest) != 0) return -1;
    }
    return 0;
}

void round_write_answers(const struct round *r, struct buf *out)
{
    for (size_t i = 0; i < r->n; i++) {
        if (r->n > 1) buf_addc(out, i ? ',' : '[');
        buf_add(out, r->questions[i].answer);
    }
    if (r->n > 1) buf_addc(out, ']');
}
