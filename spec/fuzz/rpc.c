/* Whatever envelope gets through, its id goes back in a result and in an error as the same bytes.
 */
#include <assert.h>
#include <stdint.h>

#include "wire/rpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_id(struct bytes reply, struct bytes id)
{
    struct arena arena = {0};
    struct json_error error;
    struct rpc_message m;
    enum rpc_code code;
    const char *reason;
    const struct json *root = json_parse(&arena, reply, &JSON_LIMITS, &error);

    assert(root);
    assert(rpc_read(root, &m, &code, &reason) == 0);
    assert(m.kind == RPC_RESPONSE && bytes_equal(m.id, id));
    arena_free(&arena);
}

static void answer(const struct rpc_message *m)
{
    struct buf out = {0};

    rpc_write_result(&out, m->id, BYTES("{}"));
    expect_id(buf_bytes(&out), m->id);
    buf_clear(&out);
    rpc_write_error(&out, m->id, RPC_METHOD_NOT_FOUND, m->method,
                    m->params ? m->params->raw : m->id);
    expect_id(buf_bytes(&out), m->id);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct json_error error;
    struct rpc_message m;
    enum rpc_code code;
    const char *reason = NULL;
    const struct json *root =
        json_parse(&arena, (struct bytes){(const char *)data, size}, &JSON_LIMITS, &error);

    if (root && rpc_read(root, &m, &code, &reason) == 0) {
        if (m.kind == RPC_REQUEST) answer(&m);
        assert(m.kind == RPC_RESPONSE ? (!m.result != !m.error) : m.method.p != NULL);
    } else if (root) {
        assert(reason && rpc_code_http_status(code) == 400);
    }
    arena_free(&arena);
    return 0;
}
