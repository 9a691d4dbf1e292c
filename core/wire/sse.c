#include "wire/sse.h"

#include <assert.h>
#include <string.h>

static bool fits_one_line(struct bytes text)
{
    return text.n == 0 || (!memchr(text.p, '\n', text.n) && !memchr(text.p, '\r', text.n));
}

void sse_write_event(struct buf *out, struct bytes id, struct bytes data)
{
    bool sound = fits_one_line(data) && fits_one_line(id) && (id.n == 0 || !memchr(id.p, 0, id.n));

    assert(sound);
    (void)sound;
    buf_add(out, BYTES("event: message\n"));
    if (id.n > 0) {
        buf_add(out, BYTES("id: "));
        buf_add(out, id);
        buf_addc(out, '\n');
    }
    if (data.n == 0) buf_printf(out, "retry: %d\n", SSE_RETRY_MS);
    buf_add(out, BYTES("data: "));
    buf_add(out, data);
    buf_add(out, BYTES("\n\n"));
}

void sse_write_keepalive(struct buf *out)
{
    buf_add(out, BYTES(": keepalive\n\n"));
}
