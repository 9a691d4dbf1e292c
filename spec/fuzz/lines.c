/* However the bytes are cut into pieces, the same lines come out: those between the newlines that
 * are neither blank nor too long, in their order. The first byte says how long a line may be, the
 * second how long the pieces are. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "wire/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char TOO_LONG[] = "\n";

/* What must come out of one line, with its newline as the end mark; `ended` if it has one. */
static void expect_line(struct buf *out, struct bytes line, size_t most)
{
    if (line.n > most) {
        buf_addz(out, TOO_LONG);
        return;
    }
    if (line.n > 0 && line.p[line.n - 1] == '\r') line.n--;
    if (bytes_trim(line).n == 0) return;
    buf_add(out, line);
    buf_addc(out, '\n');
}

static void expect(struct buf *out, struct bytes text, size_t most)
{
    struct bytes line;
    while (bytes_split(&text, '\n', &line))
        expect_line(out, line, most);
}

static void take(struct buf *out, enum lines_found found, struct bytes line)
{
    if (found == LINES_TOO_LONG) buf_addz(out, TOO_LONG);
    if (found != LINES_ONE) return;
    assert(line.n > 0 && !memchr(line.p, '\n', line.n));
    buf_add(out, line);
    buf_addc(out, '\n');
}

static void read_piece(struct lines *l, struct bytes piece, struct buf *out)
{
    struct bytes line = {NULL, 0};
    enum lines_found found;
    while ((found = lines_next(l, &piece, &line)) != LINES_NONE) {
        take(out, found, line);
        assert(l->held.n <= l->most);
    }
    assert(piece.n == 0 && l->held.n <= l->most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    struct lines l = {.most = data[0]};
    size_t step = (size_t)data[1] + 1;
    struct bytes text = {(const char *)data + 2, size - 2};
    struct buf got = {0}, wanted = {0};
    struct bytes line = {NULL, 0};
    for (size_t at = 0; at < text.n; at += step) {
        struct bytes piece = {text.p + at, text.n - at < step ? text.n - at : step};
        read_piece(&l, piece, &got);
    }
    take(&got, lines_end(&l, &line), line);
    expect(&wanted, text, l.most);
    assert(bytes_equal(buf_bytes(&got), buf_bytes(&wanted)));
    lines_free(&l);
    buf_free(&got);
    buf_free(&wanted);
    return 0;
}
