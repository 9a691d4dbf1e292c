#include "eras/session.h"

#include "base/clock.h"
#include "base/mem.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 16^3 buckets: with the 10,000 sessions of the default limit, two or three in each. */
enum { BUCKETS = 4096, ID_BYTES = 16 };

struct sessions {
    struct session *buckets[BUCKETS];
    size_t count;
};

struct sessions *sessions_new(void)
{
    return mem_alloc(sizeof(struct sessions));
}

void sessions_free(struct sessions *s)
{
    free(s);
}

size_t sessions_count(const struct sessions *s)
{
    return s->count;
}

/* Ids are random: three of their digits spread as well as any hash. */
static struct session **bucket(struct sessions *s, const char *id)
{
    char digits[4] = {id[0], id[1], id[2], '\0'};
    return &s->buckets[strtoul(digits, NULL, 16) % BUCKETS];
}

/* The tape of initialize goes with its exchange; the session needs a text and a tape of its own. */
static const struct json *copy_tape(struct arena *arena, const struct json *v)
{
    struct json_error fault;
    if (!v) return NULL;
    return json_parse(arena, arena_copy(arena, v->raw), &JSON_LIMITS, &fault);
}

struct session *sessions_add(struct sessions *s, struct bytes principal, struct bytes version,
                             const struct json *info, const struct json *capabilities)
{
    struct session *session = mem_alloc(sizeof *session);
    unsigned char random[ID_BYTES];
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(session->id, sizeof session->id, random, sizeof random);
    snprintf(session->version, sizeof session->version, "%.*s", BYTES_ARG(version));
    session->principal = mem_copy(principal);
    session->client.version = bytes_of(session->version);
    session->client.info = copy_tape(&session->arena, info);
    session->client.capabilities = copy_tape(&session->arena, capabilities);
    session->next_question = session->next_stream = session->next_event = 1;
    session->tag = randombytes_random();
    session->used_ms = clock_mono_ms();
    struct session **first = bucket(s, session->id);
    session->next = *first;
    session->link = first;
    if (*first) (*first)->link = &session->next;
    *first = session;
    s->count++;
    return session;
}

struct session *sessions_find(struct sessions *s, struct bytes id, struct bytes principal)
{
    /* Whatever the three digits are, strtoul finds a bucket; what is in it is compared as a
     * whole. */
    if (id.n != 2 * ID_BYTES) return NULL;
    for (struct session *at = *bucket(s, id.p); at; at = at->next)
        if (sodium_memcmp(at->id, id.p, id.n) == 0 &&
            bytes_equal(bytes_of(at->principal), principal))
            return at;
    return NULL;
}

void sessions_remove(struct sessions *s, struct session *session)
{
    *session->link = session->next;
    if (session->next) session->next->link = session->link;
    s->count--;
    arena_free(&session->arena);
    uris_free(&session->resources);
    free(session->principal);
    free(session);
}

void sessions_each(struct sessions *s, void (*visit)(void *arg, struct session *session), void *arg)
{
    for (size_t i = 0; i < BUCKETS; i++) {
        struct session *next;
        for (struct session *at = s->buckets[i]; at; at = next) {
            next = at->next; /* `visit` may free `at`, and nothing but that */
            visit(arg, at);
        }
    }
}

bool sessions_busy(const struct session *session)
{
    return session->calls || session->lines > 0;
}

void sessions_enter(struct session *session, struct call *c)
{
    c->sibling = session->calls;
    session->calls = c;
}

/* The session counts as used until now: the time that a person took is not idleness. */
void sessions_leave(struct session *session, struct call *c)
{
    struct call **at = &session->calls;
    while (*at && *at != c)
        at = &(*at)->sibling;
    if (*at) *at = c->sibling;
    session->used_ms = clock_mono_ms();
}
