/* Any value of a header is refused or decoded, and what is decoded is UTF-8; a plain value stands
 * for itself. */
#include "wire/headers.h"
#include "wire/trace.h"
#include "wire/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes value = {(const char *)data, size};
    struct buf out = {0};
    buf_addz(&out, "before");
    size_t before = out.n;
    if (headers_decode_value(value, &out) != 0) {
        check(out.n == before, "a refused value adds nothing");
    } else {
        struct bytes decoded = {out.p + before, out.n - before};
        check(utf8_valid(decoded), "what is decoded is UTF-8");
        check(bytes_starts(value, BYTES("=?base64?")) || bytes_equal(decoded, value),
              "a plain value stands for itself");
    }
    headers_accepts(value, BYTES("text/event-stream"));
    headers_is_json(value);
    trace_is_parent(value);
    trace_is_state(value);
    trace_is_baggage(value);
    buf_free(&out);
    return 0;
}
