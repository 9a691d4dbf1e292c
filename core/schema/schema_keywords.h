/* The table of keywords: which there are in a dialect, what they hold, who checks them.
 *
 * To add a keyword: a line in the table of schema_keywords.c, the function that reads its value in
 * schema_operands.c, and the one that runs it beside those of its kind. */
#ifndef LUNASK_SCHEMA_SCHEMA_KEYWORDS_H
#define LUNASK_SCHEMA_SCHEMA_KEYWORDS_H

#include "schema/schema_operands.h"

enum { SCHEMA_DRAFT_2020_12 = 1, SCHEMA_DRAFT_07 = 2 };

/* Of 2020-12; draft-07 has one, so to speak, with all its keywords. */
enum {
    SCHEMA_VOCABULARY_CORE = 1 << 0,
    SCHEMA_VOCABULARY_APPLICATOR = 1 << 1,
    SCHEMA_VOCABULARY_UNEVALUATED = 1 << 2,
    SCHEMA_VOCABULARY_VALIDATION = 1 << 3,
    SCHEMA_VOCABULARY_FORMAT = 1 << 4,
    SCHEMA_VOCABULARY_CONTENT = 1 << 5,
    SCHEMA_VOCABULARY_META = 1 << 6, /* annotations, and what is ours */
    SCHEMA_VOCABULARY_ALL = (1 << 7) - 1,
};

/* Where subschemas are in the value: nowhere; it is one or a list of them; its members are. */
enum schema_shape { SCHEMA_SHAPE_OTHER, SCHEMA_SHAPE_SCHEMAS, SCHEMA_SHAPE_MAP };

struct schema_keyword {
    const char *name;
    unsigned drafts;
    unsigned vocabulary;
    unsigned shape;             /* enum schema_shape */
    bool decisive;              /* once it has failed, the rest of the node has nothing to add */
    schema_operand_fn *operand; /* NULL: its value is read by no one, and may be anything */
    schema_check_fn *run;       /* NULL: only its value is looked at */
};

/* Returns the keywords of all dialects in the order they are compiled, run and explained in. */
const struct schema_keyword *schema_keywords_all(size_t *count_r);

/* Returns true if the keyword counts in the dialect. */
bool schema_keywords_counts(const struct schema_keyword *keyword,
                            const struct schema_dialect *dialect);

/* Returns the keyword of that name which counts in the dialect, or NULL. */
const struct schema_keyword *schema_keywords_find(struct bytes name,
                                                  const struct schema_dialect *dialect);

/* Returns the draft with the metaschema `uri` (without "#"), or 0; and the dialect it means. */
unsigned schema_keywords_draft(struct bytes uri);
struct schema_dialect schema_keywords_dialect(unsigned draft);

/* Returns the vocabulary `uri`, or 0. Sets *asserts_format_r for the one that asserts formats. */
unsigned schema_keywords_vocabulary(struct bytes uri, bool *asserts_format_r);

/* Adds a warning for the member `name` of the schema being compiled, if no dialect or another has
 * such a keyword. "x-…" is what OpenAPI and its kin reserve for extensions. */
void schema_keywords_warn(struct schema_compile *c, struct bytes name,
                          const struct schema_dialect *dialect);

#endif
