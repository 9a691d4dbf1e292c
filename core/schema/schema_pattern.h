/* Regular expressions of schemas: ECMA-262 with the u flag (schema_ecma.h), but that what
 * (?<=…) looks for must have a fixed length.
 *
 * A pattern comes from a script's author and is run on text of a client, so the danger is one that
 * backtracks for ever. It is compiled by JIT where the machine can; each search has a limit of
 * steps and of CPU time, and what a search costs is charged to the run. Not anchored: "a" matches
 * "bab". */
#ifndef LUNASK_SCHEMA_SCHEMA_PATTERN_H
#define LUNASK_SCHEMA_SCHEMA_PATTERN_H

#include "base/bytes.h"
#include "base/error.h"

struct schema_pattern;

enum schema_match {
    SCHEMA_MATCH_NO,
    SCHEMA_MATCH_YES,
    SCHEMA_MATCH_LIMIT, /* gave up: 100,000 steps of matching, too deep, or 100 ms; no verdict */
};

/* Compiles `text`. Returns owned, or NULL with the fault in words ("missing closing parenthesis at
 * character 4"). */
struct schema_pattern *schema_pattern_new(struct bytes text, struct error *error);
void schema_pattern_free(struct schema_pattern *p);

/* Returns the source text, borrowed. */
struct bytes schema_pattern_text(const struct schema_pattern *p);

/* Searches `subject`, which must be valid UTF-8, anywhere in it, and tells what that cost in steps
 * of a run (schema_run.h): 1 for an easy search, else 1 for every 10 µs. Uses scratch memory of
 * `p`, so one thread at a time. */
enum schema_match schema_pattern_match(struct schema_pattern *p, struct bytes subject,
                                       unsigned *steps_r);

#endif
