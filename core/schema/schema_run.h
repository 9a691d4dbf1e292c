/* One validation: its budget, and where its reasons go.
 *
 * A check that fails returns false and, where someone asks, says why:
 *
 *   struct buf *out = schema_run_reason(run, at);
 *   if (out) buf_addz(out, " must be …");
 *   return false;
 *
 * so a path is written only for a reason that is wanted, and a valid value costs no memory.
 *
 * Words. **quiet**: only the verdict counts, no reason is written (`out` is NULL): how branches are
 * tried. **draft**: reasons that go to a buf of their own, to become a part of a larger one.
 * **broken**: a budget is used up; everything is invalid from then on, and why was said once.
 *
 * A run is on the stack of schema_valid: it needs no freeing. */
#ifndef LUNASK_SCHEMA_SCHEMA_RUN_H
#define LUNASK_SCHEMA_SCHEMA_RUN_H

#include "schema/schema_marks.h"
#include "schema/schema_node.h"

enum {
    SCHEMA_RUN_STEPS =
        100000, /* nodes run, members looked at, cells sorted; matching is charged too */
    SCHEMA_RUN_DEPTH = 512, /* nodes inside one another: a bound on the C stack */
    SCHEMA_RUN_REASONS = 8, /* more than that nobody mends at once */
};

/* A resource that the run has gone into, and where it came from: the dynamic scope. */
struct schema_scope {
    const struct schema_scope *up;
    const struct schema_resource *resource;
};

struct schema_run {
    struct buf *all; /* the caller's, may be NULL */
    /* Where reasons go now: `all`, or a draft; NULL while only the verdict counts. */
    struct buf *out;
    size_t begun;                     /* of the first reason in `all` */
    const char *name;                 /* of the root */
    size_t start;                     /* of the first reason in `out` */
    unsigned room;                    /* reasons that may still be added to `out` */
    struct schema_marks *marks;       /* of the nearest value above that someone wants; or NULL */
    const struct schema_scope *scope; /* the innermost; NULL before the root is run */
    unsigned steps, depth;
    unsigned drafts; /* alternatives being explained, one inside the other */
    bool broken;     /* over a limit: invalid, whatever the rest of the schema says */
};

/* Starts a validation with a full budget. */
struct schema_run schema_run_begin(const char *name, struct buf *reasons);

/* Takes `n` steps off the budget. Returns false, the run broken, when they are used up. */
bool schema_run_step(struct schema_run *run, size_t n, const struct schema_place *at);

/* Ends the run as invalid, with "<path> <why>" whatever becomes of other reasons. Returns false. */
bool schema_run_break(struct schema_run *run, const struct schema_place *at, const char *why);

/* Opens the next reason and writes the path. Returns where to write the rest (" must be …"), or
 * NULL if no one asks. */
struct buf *schema_run_reason(struct schema_run *run, const struct schema_place *at);

/* Returns true if nothing more can come of going on after a failure: nobody asks, there is room for
 * no more reasons, or the run is broken. Every loop over members or elements asks after a failure;
 * it is what makes a quiet run end at the first. */
bool schema_run_done(const struct schema_run *run);

/* Runs `node` on `v` at `at`. Returns false if `v` is invalid, with the reasons. */
bool schema_run_node(struct schema_run *run, const struct schema_node *node, const struct json *v,
                     const struct schema_place *at);

/* The same for the verdict alone: adds no reason, unless the run breaks. A false may mean that it
 * broke: whoever makes something valid of it ("not", "if") looks at run->broken first. */
bool schema_run_quietly(struct schema_run *run, const struct schema_node *node,
                        const struct json *v, const struct schema_place *at);

/* Returns true if someone wants to know which parts of `v` are looked at: then no check may stop
 * at the first branch or element that will do. */
bool schema_run_marks(const struct schema_run *run, const struct json *v);

/* Notes that `part`, the value of a member or an element of `v`, is looked at. Costs next to
 * nothing where nobody wants to know. */
void schema_run_mark(struct schema_run *run, const struct json *v, const struct json *part);

#endif
