#include "script/pattern_match.h"

#include <assert.h>
#include <string.h>

/* A place to return to when what follows does not match. Its item was repeated up to `s`; greedy
 * ones give bytes back down to `low`, lazy ones take more. `captures` and `closed` are as they were
 * there. The bounds of captures need no undoing: those opened or closed since are set again before
 * they are read. */
struct choice {
    const char *s, *low;
    uint16_t item, next; /* offsets in the pattern */
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

/* The locale has no say here, so <ctype.h> is no use. */
static inline bool is_within(unsigned char c, unsigned char low, unsigned char high)
{
    return (unsigned char)(c - low) <= high - low;
}

static inline bool is_letter(unsigned char c)
{
    return is_within(c | 0x20, 'a', 'z');
}

static inline bool is_digit(unsigned char c)
{
    return is_within(c, '0', '9');
}

/* Whether the class %`name` has `c`; any other byte after a % stands for itself. */
static inline bool class_has(unsigned char name, unsigned char c)
{
    bool has;
    switch (name | 0x20) {
    case 'a':
        has = is_letter(c);
        break;
    case 'c':
        has = c < 0x20 || c == 0x7F;
        break;
    case 'd':
        has = is_digit(c);
        break;
    case 'g':
        has = is_within(c, '!', '~');
        break;
    case 'l':
        has = is_within(c, 'a', 'z');
        break;
    case 'p':
        has = is_within(c, '!', '~') && !is_letter(c) && !is_digit(c);
        break;
    case 's':
        has = c == ' ' || is_within(c, '\t', '\r');
        break;
    case 'u':
        has = is_within(c, 'A', 'Z');
        break;
    case 'w':
        has = is_letter(c) || is_digit(c);
        break;
    case 'x':
        has = is_digit(c) || is_within(c | 0x20, 'a', 'f');
        break;
    case 'z': /* no longer in the manual, still in Lua 5.4 */
        has = c == 0;
        break;
    default:
        return name == c;
    }
    return has == !is_within(name, 'A', 'Z');
}

/* `p` is behind the '[' and `last` at the ']'. */
static bool set_has(const char *p, const char *last, unsigned char c)
{
    bool found = true;
    if (*p == '^') {
        found = false;
        p++;
    }
    while (p < last) {
        unsigned char low = (unsigned char)*p;
        if (low == '%') {
            if (class_has((unsigned char)p[1], c)) return found;
            p += 2;
        } else if (last - p > 2 && p[1] == '-') {
            if (low <= c && c <= (unsigned char)p[2]) return found;
            p += 3;
        } else {
            if (low == c) return found;
            p++;
        }
    }
    return !found;
}

static inline bool item_has(const char *item, const char *after, unsigned char c)
{
    switch (*item) {
    case '.':
        return true;
    case '%':
        return class_has((unsigned char)item[1], c);
    case '[':
        return set_has(item + 1, after - 1, c);
    default:
        return (unsigned char)*item == c;
    }
}

/* Returns the end of the longest run, from `s`, of bytes that the item has (or, `has` being false,
 * has not). */
static const char *item_run(const char *item, const char *after, const char *s, const char *end,
                            bool has)
{
    switch (*item) {
    case '.':
        return has ? end : s;
    case '%':
        while (s < end && class_has((unsigned char)item[1], (unsigned char)*s) == has)
            s++;
        return s;
    case '[':
        while (s < end && set_has(item + 1, after - 1, (unsigned char)*s) == has)
            s++;
        return s;
    default:
        if (!has) {
            s = memchr(s, *item, (size_t)(end - s));
            return s ? s : end;
        }
        while (s < end && *s == *item)
            s++;
        return s;
    }
}

/* Steps that an item takes beyond one: a set is read to its end when it has not got the byte. */
static inline int64_t item_cost(const char *item, const char *after)
{
    return (after - item) / 8;
}

static const char NO_SET_END[] = "malformed pattern (missing ']')";

static const struct place NOWHERE = {NULL, NULL};

static struct place malformed(struct walk *w, const char *reason)
{
    w->m->reason = reason;
    return NOWHERE;
}

/* Returns the end of the set at `p`, or NULL if it has none. A ']' that comes first is part of it.
 */
static const char *set_end(const char *p, const char *end)
{
    p++;
    if (p < end && *p == '^') p++;
    for (const char *first = p; p < end; p++) {
        if (*p == ']' && p > first) return p + 1;
        if (*p == '%' && p + 1 < end) p++;
    }
    return NULL;
}

/* Returns the end of the item at `p`, or NULL if it has none. */
static inline const char *item_end(const char *p, const char *end)
{
    if (*p == '[') return set_end(p, end);
    if (*p != '%') return p + 1;
    return p + 1 < end ? p + 2 : NULL;
}

static inline struct choice *add_choice(struct walk *w, const char *item, const char *next)
{
    assert(w->choices < CHOICES);
    struct choice *c = &w->choice[w->choices++];
    c->item = (uint16_t)(item - w->m->pattern.p);
    c->next = (uint16_t)(next - w->m->pattern.p);
    c->closed = w->closed;
    c->captures = (uint8_t)w->captures;
    return c;
}

/* Takes all it can up to `end`, and up to `low` at least. */
static inline struct place match_greedy(struct walk *w, struct place at, const char *after,
                                        const char *low, const char *end)
{
    const char *s = item_run(at.p, after, at.s, end, true);
    if (*at.p != '.') w->m->steps -= (s - at.s) * (1 + item_cost(at.p, after));
    if (s < low) return NOWHERE;
    if (s > low) {
        struct choice *c = add_choice(w, at.p, after + 1);
        c->s = s;
        c->low = low;
        c->lazy = false;
    }
    return (struct place){s, after + 1};
}

static inline struct place match_lazy(struct walk *w, struct place at, const char *after)
{
    struct choice *c = add_choice(w, at.p, after + 1);
    c->s = at.s;
    c->lazy = true;
    return (struct place){at.s, after + 1};
}

static inline struct place match_item(struct walk *w, struct place at)
{
    const char *after = item_end(at.p, w->p_end);
    if (!after)
        return malformed(w, *at.p == '[' ? NO_SET_END : "malformed pattern (ends with '%')");
    w->m->steps -= item_cost(at.p, after);
    switch (after < w->p_end ? *after : 0) {
    case '*':
        return match_greedy(w, at, after, at.s, w->s_end);
    case '+':
        if (at.s == w->s_end) return NOWHERE;
        return match_greedy(w, at, after, at.s + 1, w->s_end);
    case '?':
        return match_greedy(w, at, after, at.s, at.s < w->s_end ? at.s + 1 : at.s);
    case '-':
        return match_lazy(w, at, after);
    default:
        if (at.s == w->s_end || !item_has(at.p, after, (unsigned char)*at.s)) return NOWHERE;
        return (struct place){at.s + 1, after};
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
    const char *set = at.p + 2;
    if (set == w->p_end || *set != '[') return malformed(w, "missing '[' after '%f' in pattern");
    const char *after = set_end(set, w->p_end);
    if (!after) return malformed(w, NO_SET_END);
    char before = at.s == w->m->subject.p ? '\0' : at.s[-1];
    char here = at.s == w->s_end ? '\0' : *at.s;
    w->m->steps -= 2 * item_cost(set, after);
    if (set_has(set + 1, after - 1, (unsigned char)before)) return NOWHERE;
    if (!set_has(set + 1, after - 1, (unsigned char)here)) return NOWHERE;
    return (struct place){at.s, after};
}

static inline struct place match_escape(struct walk *w, struct place at)
{
    unsigned char name = at.p + 1 < w->p_end ? (unsigned char)at.p[1] : 0;
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
    const char *item = w->m->pattern.p + c->item;
    const char *after = w->m->pattern.p + c->next - 1;
    w->m->steps -= item_cost(item, after);
    if (c->s == w->s_end || !item_has(item, after, (unsigned char)*c->s)) {
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
        if (c->lazy) {
            if (!take_more(w, c)) continue;
        } else if (--c->s == c->low) {
            w->choices--;
        }
        w->closed = c->closed;
        w->captures = c->captures;
        return (struct place){c->s, w->m->pattern.p + c->next};
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
        if (!at.s) return PATTERN_MATCH_NONE;
    }
    return m->steps < 0 ? PATTERN_MATCH_USED_UP : PATTERN_MATCH_STOPPED;
}

/* Finds the item that the first byte of every match must have, if there is one. It may stand in a
 * capture: opening one can't fail. */
static void find_first(struct pattern_match *m)
{
    const char *p = m->pattern.p;
    const char *end = p + m->pattern.n;
    m->first = NULL;
    if (p < end && *p == '(') p++;
    if (p == end || *p == '(' || *p == ')' || *p == '$') return;
    if (*p == '%' && p + 1 < end && (p[1] == 'b' || p[1] == 'f' || is_digit((unsigned char)p[1])))
        return;
    m->first_end = item_end(p, end);
    if (!m->first_end) return;
    char repeat = m->first_end < end ? *m->first_end : 0;
    if (repeat == '*' || repeat == '?' || repeat == '-') return;
    m->first = p;
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
    m->first = NULL;
    if (!m->anchored) find_first(m);
    m->steps = steps;
    look_later(m);
    m->stop = stop;
    m->reason = NULL;
}

/* Returns the next place, from `s`, where a match may begin, or NULL. */
static inline const char *next_start(struct pattern_match *m, const char *s, const char *end)
{
    if (!m->first) return s;
    const char *at = item_run(m->first, m->first_end, s, end, false);
    int64_t cost = 1 + item_cost(m->first, m->first_end);
    m->steps -= (at - s) * cost;
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
