#include "schema/schema_range.h"

#include "schema/schema_reason.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Most numbers are told from their text: neither an exponent nor more digits than DBL_MAX has. */
static bool may_overflow(struct bytes text)
{
    return text.n > DBL_MAX_10_EXP || memchr(text.p, 'e', text.n) || memchr(text.p, 'E', text.n);
}

static bool overflows(const struct json *v)
{
    double value;
    return v->type == JSON_NUMBER && may_overflow(v->text) && json_double(v, &value) &&
           isinf(value);
}

/* A tape has the values of all depths one behind the other. */
static const struct json *find(const struct json *root)
{
    const struct json *end = root + root->span;
    const struct json *v = root;
    while (v < end && !overflows(v))
        v++;
    return v < end ? v : NULL;
}

static void explain(struct buf *reasons, const char *name, const struct json *v,
                    const struct schema_place *at)
{
    schema_reason_path(reasons, name, at);
    buf_addz(reasons, " must be a number up to 1.8e308");
    schema_reason_not(reasons, v);
}

/* Goes down from `v` to `fault`, which is inside it: as deep as a tape can be, JSON_DEPTH_MAX. */
static void descend(struct buf *reasons, const char *name, const struct json *v,
                    const struct schema_place *at, const struct json *fault)
{
    struct schema_place place = {.up = at};
    const struct json *e = json_first(v), *inner = e;
    for (; e; e = json_next(v, e), place.index++) {
        inner = v->type == JSON_OBJECT ? json_value(e) : e;
        if (fault >= inner && fault < inner + inner->span) break;
    }
    if (!e) {
        explain(reasons, name, v, at);
        return;
    }
    if (v->type == JSON_OBJECT) place.key = e->text;
    descend(reasons, name, inner, &place, fault);
}

bool schema_range_valid(const struct json *value, const char *name, struct buf *reasons)
{
    const struct json *fault = find(value);
    if (fault && reasons) descend(reasons, name, value, NULL, fault);
    return !fault;
}
