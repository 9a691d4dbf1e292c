#include "wire/rpc.h"

#include "wire/json_write.h"

#include <assert.h>

static const struct {
    int number;
    int http_status;
} CODES[] = {
    [RPC_PARSE_ERROR] = {-32700, 400},
    [RPC_INVALID_REQUEST] = {-32600, 400},
    [RPC_METHOD_NOT_FOUND] = {-32601, 404},
    [RPC_LEGACY_METHOD_NOT_FOUND] = {-32601, 200},
    [RPC_INVALID_PARAMS] = {-32602, 200},
    [RPC_INVALID_META] = {-32602, 400},
    [RPC_INTERNAL_ERROR] = {-32603, 500},
    [RPC_HANDLER_FAILED] = {-32603, 200},
    [RPC_RESOURCE_NOT_FOUND] = {-32002, 200},
    [RPC_HEADER_MISMATCH] = {-32020, 400},
    [RPC_CAPABILITY_MISSING] = {-32021, 400},
    [RPC_VERSION_UNSUPPORTED] = {-32022, 400},
    [RPC_URL_ELICITATION_REQUIRED] = {-32042, 200},
    [RPC_SESSION_NOT_FOUND] = {-32001, 404},
    [RPC_BUSY] = {-32603, 503},
};

int rpc_code_number(enum rpc_code code)
{
    assert((size_t)code < sizeof(CODES) / sizeof(CODES[0]));
    return CODES[code].number;
}

int rpc_code_http_status(enum rpc_code code)
{
    assert((size_t)code < sizeof(CODES) / sizeof(CODES[0]));
    return CODES[code].http_status;
}

/* Each reader returns NULL, or what is wrong. */

static const char *read_id(const struct json *root, struct rpc_message *m)
{
    const struct json *id = json_get(root, "id");

    if (!id) return NULL;
    if (json_is(id, JSON_NULL)) return "id must not be null";
    if (json_is(id, JSON_NUMBER)) {
        if (!id->integer) return "id must be an integer, written without fraction and exponent";
    } else if (!json_is(id, JSON_STRING)) {
        return "id must be a string or an integer";
    }
    m->id = id->raw;
    return NULL;
}

/* Reads a request or a notification. Both have their params as an object here: JSON-RPC's arrays
 * are not of MCP. */
static const char *read_call(const struct json *root, const struct json *method,
                             struct rpc_message *m)
{
    if (!json_is(method, JSON_STRING)) return "method must be a string";
    if (m->result || m->error) return "a message with a method must not hold a result or an error";
    m->params = json_get(root, "params");
    if (m->params && !json_is(m->params, JSON_OBJECT)) return "params must be an object";
    m->kind = m->id.n > 0 ? RPC_REQUEST : RPC_NOTIFICATION;
    m->method = json_string(method);
    return NULL;
}

/* What is inside a result is the asker's business. */
static const char *read_response(struct rpc_message *m)
{
    int64_t code;

    m->kind = RPC_RESPONSE;
    if (!m->result && !m->error) return "a message must hold a method, a result or an error";
    if (m->result && m->error) return "a response must not hold both a result and an error";
    if (m->result && m->id.n == 0) return "a response must carry the id of its request";
    if (m->error && (!json_int(json_get(m->error, "code"), &code) ||
                     !json_is(json_get(m->error, "message"), JSON_STRING)))
        return "an error must hold an integer code and a string message";
    return NULL;
}

static const char *read_message(const struct json *root, struct rpc_message *m)
{
    const struct json *method = json_get(root, "method");
    const char *wrong;

    if (json_is(root, JSON_ARRAY)) return "batches are not supported: send one message at a time";
    if (!json_is(root, JSON_OBJECT)) return "a message must be an object";
    /* The id first: a refusal for any other reason can then carry it. */
    wrong = read_id(root, m);
    if (wrong) return wrong;
    if (!bytes_equal(json_string(json_get(root, "jsonrpc")), BYTES("2.0")))
        return "jsonrpc must be \"2.0\"";
    m->result = json_get(root, "result");
    m->error = json_get(root, "error");
    return method ? read_call(root, method, m) : read_response(m);
}

int rpc_read(const struct json *root, struct rpc_message *m, enum rpc_code *code_r,
             const char **reason_r)
{
    const char *wrong;

    /* The kind of messages that are refused before theirs is known. */
    *m = (struct rpc_message){.kind = RPC_NOTIFICATION};
    wrong = read_message(root, m);
    if (!wrong) return 0;
    *code_r = RPC_INVALID_REQUEST;
    *reason_r = wrong;
    return -1;
}

bool rpc_is_id(struct bytes id, const struct json *value)
{
    struct arena arena = {0};
    struct json_error fault;
    bool same = json_equal(json_parse(&arena, id, &JSON_LIMITS, &fault), value);
    arena_free(&arena);
    return same;
}

/* Everything that goes out opens with this; an empty id is left out. */
static void open_message(struct buf *out, struct bytes id)
{
    buf_add(out, BYTES("{\"jsonrpc\":\"2.0\""));
    if (id.n == 0) return;
    buf_add(out, BYTES(",\"id\":"));
    buf_add(out, id);
}

static void add_method(struct buf *out, struct bytes method, struct bytes params)
{
    buf_add(out, BYTES(",\"method\":"));
    json_write_string(out, method);
    if (params.n > 0) {
        buf_add(out, BYTES(",\"params\":"));
        buf_add(out, params);
    }
    buf_addc(out, '}');
}

void rpc_open_result(struct buf *out, struct bytes id)
{
    assert(id.n > 0);
    open_message(out, id);
    buf_add(out, BYTES(",\"result\":"));
}

void rpc_close_result(struct buf *out)
{
    buf_addc(out, '}');
}

struct bytes rpc_target(const struct rpc_message *m)
{
    if (bytes_equal(m->method, BYTES("tools/call")) || bytes_equal(m->method, BYTES("prompts/get")))
        return json_string(json_get(m->params, "name"));
    if (bytes_equal(m->method, BYTES("resources/read")))
        return json_string(json_get(m->params, "uri"));
    if (bytes_equal(m->method, BYTES("tasks/get")) ||
        bytes_equal(m->method, BYTES("tasks/update")) ||
        bytes_equal(m->method, BYTES("tasks/cancel")))
        return json_string(json_get(m->params, "taskId"));
    return (struct bytes){NULL, 0};
}

void rpc_write_result(struct buf *out, struct bytes id, struct bytes result)
{
    assert(result.n > 0);
    rpc_open_result(out, id);
    buf_add(out, result);
    rpc_close_result(out);
}

void rpc_write_error(struct buf *out, struct bytes id, enum rpc_code code, struct bytes message,
                     struct bytes data)
{
    open_message(out, id);
    buf_add(out, BYTES(",\"error\":{\"code\":"));
    buf_add_int(out, rpc_code_number(code));
    buf_add(out, BYTES(",\"message\":"));
    json_write_string(out, message);
    if (data.n > 0) {
        buf_add(out, BYTES(",\"data\":"));
        buf_add(out, data);
    }
    buf_add(out, BYTES("}}"));
}

void rpc_write_request(struct buf *out, struct bytes id, struct bytes method, struct bytes params)
{
    assert(id.n > 0);
    open_message(out, id);
    add_method(out, method, params);
}

void rpc_write_notification(struct buf *out, struct bytes method, struct bytes params)
{
    open_message(out, (struct bytes){NULL, 0});
    add_method(out, method, params);
}
