#include "script/pattern_match.h"

#include <assert.h>
#include <string.h>

/* A place to return to when what follows does not match. Its item was repeated up to `s`; greedy
 * ones give bytes back down to `low`, lazy ones take more. `captures` and `closed` are as they were
 * there. The bounds of captures need no undoing: those opened or closed since are set again before
 * they are read. */
struct choice {
    const char *s, *low;
    struct pattern_item item;
    uint32_t closed;
    uint8_t captures;
    bool lazy;
};

/* A pattern has no loops, so each of its items that repeat (2 bytes at least) stands in at most one
 * choice. */
enum { CHOICES = PATTERN_MATCH_BYTES / 2 };

/* What is left to match, and to match it with. Passed by value to stay in registers; `s` is NULL
 * where nothing matches. */
struct place {
    const char *s, *p;
};

struct walk {
    struct pattern_match *m;
    const char *s_end, *p_end;
    uint32_t closed; /* a bit for each capture that is no longer open */
    unsigned captures;
    unsigned choices;
    struct choice choice[CHOICES];
};

static const struct place NOWHERE = {NULL, NULL};

static struct place malformed(struct walk *w, const char *reason)
{
    w->m->reason = reason;
    return NOWHERE;
}

static struct place malformed_item(struct walk *w, const char *item)
{
    return malformed(w, *item == '[' ? "malformed pattern (missing ']')"
                                     : "malformed pattern (ends with '%')");
}

/* Returns the end of the run, or a place before it where the steps would be overdrawn: they are
 * then below 0. */
static inline const char *run_item(struct pattern_match *m, struct pattern_item item, const char *s,
                                   const char *end, bool has)
{
    if (*item.p == '.') return has ? end : s;
    int64_t cost = 1 + pattern_item_cost(item);
    if ((end - s) * cost > m->steps) end = s + (m->steps >= 0 ? m->steps / cost + 1 : 0);
    const char *run_end = pattern_item_run(item, s, end, has);
    m->steps -= (run_end - s) * cost;
    return run_end;
}

static inline struct choice *add_choice(struct walk *w, struct pattern_item item)
{
    assert(w->choices < CHOICES);
    struct choice *c = &w->choice[w->choices++];
    c->item = item;
    c->closed = w->closed;
    c->captures = (uint8_t)w->captures;
    return c;
}

/* Takes all it can up to `end`, and up to `low` at least. */
static inline struct place match_greedy(struct walk *w, const char *from, struct pattern_item item,
                                        const char *low, const char *end)
{
    const char *s = run_item(w->m, item, from, end, true);
    if (s < low) return NOWHERE;
    if (s > low) {
        struct choice *c = add_choice(w, item);
        c->s = s;
        c->low = low;
        c->lazy = false;
    }
    return (struct place){s, item.end + 1};
}

static inline struct place match_lazy(struct walk *w, const char *s, struct pattern_item item)
{
    struct choice *c = add_choice(w, item);
    c->s = s;
    c->lazy = true;
    return (struct place){s, item.end + 1};
}

static inline struct place match_item(struct walk *w, struct place at)
{
    struct pattern_item item = pattern_item_at(at.p, w->p_end);
    if (!item.end) return malformed_item(w, at.p);
    w->m->steps -= pattern_item_cost(item);
    switch (item.end < w->p_end ? *item.end : 0) {
    case '*':
        return match_greedy(w, at.s, item, at.s, w->s_end);
    case '+':
        if (at.s == w->s_end) return NOWHERE;
        return match_greedy(w, at.s, item, at.s + 1, w->s_end);
    case '?':
        return match_greedy(w, at.s, item, at.s, at.s < w->s_end ? at.s + 1 : at.s);
    case '-':
        return match_lazy(w, at.s, item);
    default:
        if (at.s == w->s_end || !pattern_item_has(item, (unsigned char)*at.s)) return NOWHERE;
        return (struct place){at.s + 1, item.end};
    }
}

static struct place open_capture(struct walk *w, struct place at)
{
    if (w->captures == PATTERN_MATCH_CAPTURES) return malformed(w, "too many captures");
    bool position = at.p + 1 < w->p_end && at.p[1] == ')';
    uint32_t bit = (uint32_t)1 << w->captures;
    struct pattern_match_capture *capture = &w->m->capture[w->captures++];
    capture->start = at.s;
    capture->n = PATTERN_MATCH_POSITION;
    w->closed = position ? w->closed | bit : w->closed & ~bit;
    return (struct place){at.s, at.p + (position ? 2 : 1)};
}

/* Closes the one opened last of those that are open. */
static struct place close_capture(struct walk *w, struct place at)
{
    for (unsigned i = w->captures; i-- > 0;) {
        uint32_t bit = (uint32_t)1 << i;
        if (w->closed & bit) continue;
        w->closed |= bit;
        w->m->steps -= (w->captures - i) / 8;
        w->m->capture[i].n = (size_t)(at.s - w->m->capture[i].start);
        return (struct place){at.s, at.p + 1};
    }
    return malformed(w, "invalid pattern capture");
}

/* %1: the same bytes again. A position has none, so it never matches. */
static struct place match_again(struct walk *w, struct place at)
{
    static const char *const invalid[] = {"invalid capture index %0", "invalid capture index %1",
                                          "invalid capture index %2", "invalid capture index %3",
                                          "invalid capture index %4", "invalid capture index %5",
                                          "invalid capture index %6", "invalid capture index %7",
                                          "invalid capture index %8", "invalid capture index %9"};
    unsigned number = (unsigned)(at.p[1] - '0');
    if (number == 0 || number > w->captures || !(w->closed >> (number - 1) & 1))
        return malformed(w, invalid[number]);
    const struct pattern_match_capture *capture = &w->m->capture[number - 1];
    if (capture->n > (size_t)(w->s_end - at.s)) return NOWHERE;
    w->m->steps -= (int64_t)(capture->n / 16);
    if (memcmp(at.s, capture->start, capture->n) != 0) return NOWHERE;
    return (struct place){at.s + capture->n, at.p + 2};
}

/* %bxy: from an x to the y that balances it. */
static struct place match_balance(struct walk *w, struct place at)
{
    if (w->p_end - at.p < 4) return malformed(w, "malformed pattern (missing arguments to '%b')");
    char open = at.p[2];
    char close = at.p[3];
    const char *s = at.s;
    if (s == w->s_end || *s != open) return NOWHERE;
    for (size_t depth = 1; ++s < w->s_end;) {
        if (*s == close) {
            if (--depth == 0) break;
        } else if (*s == open) {
            depth++;
        }
    }
    w->m->steps -= s - at.s;
    if (s == w->s_end) return NOWHERE;
    return (struct place){s + 1, at.p + 4};
}

/* %f[set]: nothing, between a byte that is not in the set and one that is. A byte 0 stands before
 * the subject and behind it. */
static struct place match_frontier(struct walk *w, struct place at)
{
    const char *p = at.p + 2;
    if (p == w->p_end || *p != '[') return malformed(w, "missing '[' after '%f' in pattern");
    struct pattern_item set = pattern_item_at(p, w->p_end);
    if (!set.end) return malformed_item(w, p);
    char before = at.s == w->m->subject.p ? '\0' : at.s[-1];
    char here = at.s == w->s_end ? '\0' : *at.s;
    w->m->steps -= 2 * pattern_item_cost(set);
    if (pattern_item_has(set, (unsigned char)before)) return NOWHERE;
    if (!pattern_item_has(set, (unsigned char)here)) return NOWHERE;
    return (struct place){at.s, set.end};
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline struct place match_escape(struct walk *w, struct place at)
{
    char name = at.p + 1 < w->p_end ? at.p[1] : 0;
    if (name == 'b') return match_balance(w, at);
    if (name == 'f') return match_frontier(w, at);
    if (is_digit(name)) return match_again(w, at);
    return match_item(w, at);
}

/* Matches the part of the pattern that comes next. */
static inline struct place match_part(struct walk *w, struct place at)
{
    switch (*at.p) {
    case '(':
        return open_capture(w, at);
    case ')':
        return close_capture(w, at);
    case '%':
        return match_escape(w, at);
    case '$':
        if (at.p + 1 < w->p_end) return match_item(w, at);
        return at.s == w->s_end ? (struct place){at.s, at.p + 1} : NOWHERE;
    default:
        return match_item(w, at);
    }
}

/* Lets a lazy item take one byte more. */
static bool take_more(struct walk *w, struct choice *c)
{
    w->m->steps -= pattern_item_cost(c->item);
    if (c->s == w->s_end || !pattern_item_has(c->item, (unsigned char)*c->s)) {
        w->choices--;
        return false;
    }
    c->s++;
    return true;
}

/* Returns to the last choice that has something left to try. */
static inline struct place go_back(struct walk *w)
{
    while (w->choices > 0) {
        struct choice *c = &w->choice[w->choices - 1];
        w->m->steps--;
        if (c->lazy) {
            if (!take_more(w, c)) continue;
        } else if (--c->s == c->low) {
            w->choices--;
        }
        w->closed = c->closed;
        w->captures = c->captures;
        return (struct place){c->s, c->item.end + 1};
    }
    return NOWHERE;
}

static inline void look_later(struct pattern_match *m)
{
    m->look_at = m->steps > PATTERN_MATCH_LOOK_EVERY ? m->steps - PATTERN_MATCH_LOOK_EVERY : 0;
}

/* Returns whether matching may go on. */
static bool look(struct pattern_match *m)
{
    if (m->steps < 0 || (m->stop && *m->stop)) return false;
    look_later(m);
    return true;
}

static enum pattern_match_result found(struct walk *w, const char *start, const char *end)
{
    struct pattern_match *m = w->m;
    m->start = start;
    m->end = end;
    m->captures = w->captures;
    for (unsigned i = 0; i < w->captures; i++)
        if (!(w->closed >> i & 1)) m->capture[i].n = PATTERN_MATCH_UNFINISHED;
    return PATTERN_MATCH_FOUND;
}

static inline enum pattern_match_result match_at(struct walk *w, const char *s)
{
    struct pattern_match *m = w->m;
    struct place at = {s, m->pattern.p};
    w->closed = 0;
    w->captures = w->choices = 0;
    while (--m->steps >= m->look_at || look(m)) {
        if (at.p == w->p_end) return found(w, s, at.s);
        at = match_part(w, at);
        if (at.s) continue;
        if (m->reason) return PATTERN_MATCH_MALFORMED;
        at = go_back(w);
        if (!at.s) return m->steps < 0 ? PATTERN_MATCH_USED_UP : PATTERN_MATCH_NONE;
    }
    return m->steps < 0 ? PATTERN_MATCH_USED_UP : PATTERN_MATCH_STOPPED;
}

/* Finds the item that the first byte of every match must have, if there is one. It may stand in a
 * capture: opening one can't fail. */
static void find_first(struct pattern_match *m)
{
    const char *p = m->pattern.p;
    const char *end = p + m->pattern.n;
    if (p < end && *p == '(') p++;
    if (p == end || *p == '(' || *p == ')' || *p == '$') return;
    if (*p == '%' && p + 1 < end && (p[1] == 'b' || p[1] == 'f' || is_digit(p[1]))) return;
    struct pattern_item item = pattern_item_at(p, end);
    if (!item.end) return;
    char repeat = item.end < end ? *item.end : 0;
    if (repeat != '*' && repeat != '?' && repeat != '-') m->first = item;
}

void pattern_match_start(struct pattern_match *m, struct bytes subject, struct bytes pattern,
                         bool may_anchor, int64_t steps, const volatile int *stop)
{
    m->anchored = may_anchor && pattern.n > 0 && *pattern.p == '^';
    m->subject = subject;
    m->pattern = pattern;
    if (m->anchored) {
        m->pattern.p++;
        m->pattern.n--;
    }
    m->first = (struct pattern_item){NULL, NULL};
    if (!m->anchored) find_first(m);
    m->steps = steps;
    look_later(m);
    m->stop = stop;
    m->reason = NULL;
}

/* Returns the next place, from `s`, where a match may begin, or NULL. */
static inline const char *next_start(struct pattern_match *m, const char *s, const char *end)
{
    if (!m->first.p) return s;
    const char *at = run_item(m, m->first, s, end, false);
    return at < end ? at : NULL;
}

enum pattern_match_result pattern_match_search(struct pattern_match *m, size_t from, size_t refused)
{
    struct walk w;
    if (m->pattern.n > PATTERN_MATCH_BYTES) return PATTERN_MATCH_TOO_LONG;
    w.m = m;
    w.s_end = m->subject.p + m->subject.n;
    w.p_end = m->pattern.p + m->pattern.n;
    for (const char *s = m->subject.p + from;; s++) {
        s = next_start(m, s, w.s_end);
        if (!s) return PATTERN_MATCH_NONE;
        enum pattern_match_result result = match_at(&w, s);
        bool is_refused =
            result == PATTERN_MATCH_FOUND && (size_t)(m->end - m->subject.p) == refused;
        if (result != PATTERN_MATCH_NONE && !is_refused) return result;
        if (m->anchored || s == w.s_end) return PATTERN_MATCH_NONE;
    }
}
