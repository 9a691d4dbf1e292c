#include "call/turns.h"

#include "call/call.h"
#include "script/registry.h"

#include <assert.h>

void turns_init(struct turns *t)
{
    *t = (struct turns){0};
    t->quick.end = &t->quick.first;
    t->slow.end = &t->slow.first;
}

void turns_begin(struct turns *t)
{
    t->used_us = 0;
    t->slow_ran_before = t->slow_ran;
    t->slow_ran = false;
}

bool turns_over(const struct turns *t)
{
    return t->used_us >= TURNS_US;
}

bool turns_slow(const struct turns *t, const struct vm *script)
{
    const struct call *c = t->slow.first;
    while (c && c->offer->vm != script)
        c = c->next_ready;
    return c != NULL;
}

static struct turns_line *line_of(struct turns *t, const struct call *c)
{
    return c->slow ? &t->slow : &t->quick;
}

void turns_add(struct turns *t, struct call *c)
{
    struct turns_line *line = line_of(t, c);
    c->next_ready = NULL;
    *line->end = c;
    line->end = &c->next_ready;
}

void turns_remove(struct turns *t, struct call *c)
{
    struct turns_line *line = line_of(t, c);
    struct call **at = &line->first;
    while (*at && *at != c)
        at = &(*at)->next_ready;
    assert(*at); /* it waits in this line */
    *at = c->next_ready;
    if (!*at) line->end = at;
}

struct call *turns_take(struct turns *t)
{
    struct call *c = turns_over(t) ? NULL : t->quick.first;
    if (!c && !t->slow_ran && !(turns_over(t) && t->slow_ran_before)) {
        c = t->slow.first;
        t->slow_ran = c != NULL;
    }
    if (c) turns_remove(t, c);
    return c;
}

bool turns_waiting(const struct turns *t)
{
    return t->quick.first || t->slow.first;
}

void turns_used(struct turns *t, const struct call *c, int64_t us)
{
    if (!c->slow) t->used_us += us;
}
