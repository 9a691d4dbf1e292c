#include "schema/schema_pattern.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "schema/schema_ecma.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

enum {
    MATCH_LIMIT = 100000,  /* of PCRE2, which counts afresh at each place: see search_slices */
    EASY_LIMIT = 1000,     /* what a sane pattern stays below on a short text */
    EASY_BYTES = 512,      /* a short text: not worth a look at the clock */
    DEPTH_LIMIT = 50000,   /* what MATCH_LIMIT steps can go deep in honest patterns */
    HEAP_LIMIT_KIB = 8192, /* of the interpreter, for one search */
    LONGEST_US = 100000,   /* of CPU, for one search */
    STEP_US = 10,          /* 100,000 steps are then a second at most */
};

struct schema_pattern {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
    char *text; /* as given, for reasons; what was compiled is its translation */
    size_t n;
};

/* The options make PCRE2 read as ECMA-262 does:
 *   ALT_BSUX (both)       \u0041 and \u{41} are characters; \U is a letter
 *   DOLLAR_ENDONLY        $ is the very end, not also before a last line break
 *   MATCH_UNSET_BACKREF   \1 of a group that took no part matches the empty string
 *   ALLOW_EMPTY_CLASS     [] matches nothing, [^] everything
 * and NEVER_BACKSLASH_C keeps \C out, which could match half a code point. */
static pcre2_code *compile(struct bytes text, struct error *error)
{
    const uint32_t options = PCRE2_UTF | PCRE2_ALT_BSUX | PCRE2_DOLLAR_ENDONLY |
                             PCRE2_MATCH_UNSET_BACKREF | PCRE2_ALLOW_EMPTY_CLASS |
                             PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
    struct buf source = {0};
    if (schema_ecma_translate(text, &source, error) < 0) {
        buf_free(&source);
        return NULL;
    }
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (context) {
        pcre2_set_compile_extra_options(context, PCRE2_EXTRA_ALT_BSUX);
        pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
    }
    int code = 0;
    PCRE2_SIZE at = 0;
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)buf_text(&source), source.n, options, &code, &at, context);
    if (!compiled) {
        PCRE2_UCHAR words[160];
        if (pcre2_get_error_message(code, words, sizeof words) < 0) words[0] = '\0';
        /* The place counts in the translation. */
        if (bytes_equal(buf_bytes(&source), text))
            error_set(error, "%s at character %zu", (const char *)words, (size_t)at);
        else
            error_set(error, "%s", (const char *)words);
    }
    pcre2_compile_context_free(context);
    buf_free(&source);
    return compiled;
}

struct schema_pattern *schema_pattern_new(struct bytes text, struct error *error)
{
    pcre2_code *code = compile(text, error);
    if (!code) return NULL;
    struct schema_pattern *p = mem_alloc(sizeof *p);
    p->code = code;
    p->text = mem_copy(text);
    p->n = text.n;
    p->data = pcre2_match_data_create(1, NULL);
    p->context = pcre2_match_context_create(NULL);
    if (!p->data || !p->context) {
        schema_pattern_free(p);
        error_set(error, "out of memory");
        return NULL;
    }
    pcre2_set_depth_limit(p->context, DEPTH_LIMIT);
    pcre2_set_heap_limit(p->context, HEAP_LIMIT_KIB);
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* fails where it can't: then it is interpreted */
    return p;
}

void schema_pattern_free(struct schema_pattern *p)
{
    if (!p) return;
    pcre2_match_context_free(p->context);
    pcre2_match_data_free(p->data);
    pcre2_code_free(p->code);
    free(p->text);
    free(p);
}

struct bytes schema_pattern_text(const struct schema_pattern *p)
{
    return (struct bytes){p->text, p->n};
}

/* Matches where the machine's stack didn't do for JIT, with memory that is given back at once. */
static int search_deep(struct schema_pattern *p, PCRE2_SPTR text, size_t n, size_t start)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    if (!data) return PCRE2_ERROR_NOMEMORY;
    int rc =
        pcre2_match(p->code, text, n, start, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data, p->context);
    pcre2_match_data_free(data);
    return rc;
}

/* Searches from `start` for a match that begins at or before `last`. */
static int search(struct schema_pattern *p, struct bytes subject, size_t start, size_t last)
{
    PCRE2_SPTR text = (PCRE2_SPTR)(subject.n ? subject.p : "");
    pcre2_set_offset_limit(p->context, last);
    int rc = pcre2_match(p->code, text, subject.n, start, PCRE2_NO_UTF_CHECK, p->data, p->context);
    return rc == PCRE2_ERROR_JIT_STACKLIMIT ? search_deep(p, text, subject.n, start) : rc;
}

/* PCRE2 counts its limits afresh for every place a match may begin at, and a run of one character
 * not at all, so that "a+$" is quadratic in the length of the text. Hence ever longer slices of
 * beginnings, with a look at the clock between them. */
static int search_slices(struct schema_pattern *p, struct bytes subject, int64_t until)
{
    size_t start = 0, width = 64;
    for (;;) {
        size_t last = start + width;
        if (last >= subject.n) return search(p, subject, start, subject.n);
        /* A search must not begin within a code point: it isn't checked (NO_UTF_CHECK). */
        while (last < subject.n && ((unsigned char)subject.p[last] & 0xC0) == 0x80)
            last++;
        int rc = search(p, subject, start, last - 1);
        if (rc != PCRE2_ERROR_NOMATCH) return rc;
        if (clock_cpu_us() > until) return PCRE2_ERROR_MATCHLIMIT;
        start = last;
        width *= 2;
    }
}

enum schema_match schema_pattern_match(struct schema_pattern *p, struct bytes subject,
                                       unsigned *steps_r)
{
    int rc = PCRE2_ERROR_MATCHLIMIT;
    *steps_r = 1;
    if (subject.n <= EASY_BYTES) {
        pcre2_set_match_limit(p->context, EASY_LIMIT);
        rc = search(p, subject, 0, subject.n);
    }
    /* Long, or harder than it looked: the whole once more, with the clock running. */
    if (rc == PCRE2_ERROR_MATCHLIMIT) {
        int64_t begun = clock_cpu_us();
        pcre2_set_match_limit(p->context, MATCH_LIMIT);
        rc = search_slices(p, subject, begun + LONGEST_US);
        *steps_r += (unsigned)((clock_cpu_us() - begun) / STEP_US);
    }
    if (rc >= 0) return SCHEMA_MATCH_YES;
    return rc == PCRE2_ERROR_NOMATCH ? SCHEMA_MATCH_NO : SCHEMA_MATCH_LIMIT;
}
