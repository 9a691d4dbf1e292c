/* The first line is the operator's list, the second what a browser sends. What is allowed must be
 * on the list once reduced, and reducing twice must change nothing more. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "wire/origin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Adds the reduced form of `url` to `once`, and sees that it is its own reduced form. */
static bool reduce(struct bytes url, struct buf *once)
{
    struct buf twice = {0};
    bool reduced = origin_reduce(url, once) == 0;

    if (reduced) {
        assert(origin_reduce(buf_bytes(once), &twice) == 0);
        assert(bytes_equal(buf_bytes(once), buf_bytes(&twice)));
    } else {
        assert(once->n == 0);
    }
    buf_free(&twice);
    return reduced;
}

static bool listed(const struct origin_list *list, struct bytes origin)
{
    for (size_t i = 0; i < origin_list_count(list); i++)
        if (bytes_equal(bytes_of(origin_list_at(list, i)), origin)) return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_copy((struct bytes){(const char *)data, size});
    char *end = memchr(text, '\n', size);
    struct bytes sent = {text, size};
    struct origin_list *list;
    struct buf once = {0};
    const char *names[] = {text, NULL};

    if (end) {
        *end = 0;
        sent = (struct bytes){end + 1, (size_t)(text + size - end) - 1};
    }
    list = origin_list_new(text);
    if (origin_allowed(list, sent)) {
        assert(reduce(sent, &once));
        assert(listed(list, buf_bytes(&once)));
    } else {
        (void)reduce(sent, &once);
        assert(!listed(list, sent));
    }
    for (size_t i = 0; i < origin_list_count(list); i++)
        assert(origin_allowed(list, bytes_of(origin_list_at(list, i))));
    if (origin_host_allowed(sent, names)) assert(sent.n > 0 && !memchr(sent.p, '/', sent.n));
    origin_list_free(list);
    buf_free(&once);
    free(text);
    return 0;
}
