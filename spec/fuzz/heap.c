/* Any order of takes, resizes and drops: what is in a block stays, every byte is counted, nothing
 * beyond the limit is given, and a shrink is never refused. */
#include "base/heap.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SLOTS = 64, MOST = 256 * 1024, RESERVE = 64 * 1024, CHECKED = 24 };

struct state {
    struct heap *heap;
    unsigned char *p[SLOTS];
    size_t n[SLOTS];
    size_t used, limit;
};

static void check(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

/* Both ends of a block: what another block or the heap's own words would reach first. */
static void mark(struct state *s, size_t i)
{
    size_t end = s->n[i] < CHECKED ? s->n[i] : CHECKED;
    memset(s->p[i], (int)i + 1, end);
    memset(s->p[i] + s->n[i] - end, (int)i + 1, end);
}

static void check_marks(const struct state *s, size_t i, const unsigned char *p, size_t kept)
{
    size_t n = s->n[i];
    size_t end = n < CHECKED ? n : CHECKED;
    check((uintptr_t)p % _Alignof(max_align_t) == 0, "blocks are aligned");
    for (size_t at = 0; at < end && at < kept; at++)
        check(p[at] == i + 1, "the start stays");
    for (size_t at = n - end; at < n && at < kept; at++)
        check(p[at] == i + 1, "the end stays");
}

static void resize(struct state *s, size_t i, size_t n)
{
    size_t had = s->n[i];
    unsigned char *p = heap_realloc(s->heap, s->p[i], had, n);
    bool allowed = n <= had || (s->used <= s->limit && n - had <= s->limit - s->used);
    check(p || n == 0 || n > had, "a shrink is not refused");
    check(!p || allowed, "the limit holds");
    if (!p && n > 0) {
        check_marks(s, i, s->p[i], had);
        return;
    }
    s->used += n - had;
    if (p) check_marks(s, i, p, n < had ? n : had);
    s->p[i] = p;
    s->n[i] = n;
    if (p) mark(s, i);
}

static void set_reserve(struct state *s, bool on)
{
    heap_use_reserve(s->heap, on);
    s->limit = MOST + (on ? RESERVE : 0);
}

/* Three bytes: which slot, what to do, and how much of it. */
static void step(struct state *s, const uint8_t *op)
{
    size_t i = op[0] % SLOTS;
    switch (op[1] % 8) {
    case 0:
        resize(s, i, 0);
        break;
    case 1:
        set_reserve(s, op[2] & 1);
        break;
    case 2:
        heap_trim(s->heap);
        break;
    case 3:
        resize(s, i, s->n[i] + op[2]);
        break;
    case 4:
        resize(s, i, s->n[i] / 2);
        break;
    default:
        resize(s, i, (size_t)op[2] << op[1] % 11);
    }
    check(heap_counts(s->heap).used == s->used, "every byte is counted");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct state s = {.heap = heap_new(MOST, RESERVE), .limit = MOST};
    check(s.heap, "there is address space");
    for (size_t at = 0; at + 3 <= size; at += 3)
        step(&s, data + at);
    for (size_t i = 0; i < SLOTS; i++)
        if (s.p[i]) check_marks(&s, i, s.p[i], s.n[i]);
    heap_free(s.heap);
    return 0;
}
