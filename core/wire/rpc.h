/* JSON-RPC 2.0 as MCP restricts it: which of the three kinds a message is, and the replies.
 *
 * Both eras use this one reader: what one of them alone forbids (posted responses, batches) is for
 * the era to refuse. Ids are kept and sent back as JSON text, never as numbers: 2^53 + 1 and "1"
 * must come back as they were (2026-07-28 basic, "Responses").
 *
 * To add an error code: a name here, and one line in the table of rpc.c. */
#ifndef LUNASK_WIRE_RPC_H
#define LUNASK_WIRE_RPC_H

#include "base/buf.h"
#include "wire/json.h"

/* The codes we send. The number on the wire and the HTTP status of a reply that carries nothing
 * else stand in one table (rpc.c), from MCP 2026-07-28 basic "Error Codes" and JSON-RPC 2.0. Of the
 * numbers from -32099 to -32020, only those that MCP defines may be sent. */
enum rpc_code {
    RPC_PARSE_ERROR,              /* -32700, 400 */
    RPC_INVALID_REQUEST,          /* -32600, 400 */
    RPC_METHOD_NOT_FOUND,         /* -32601, 404 */
    RPC_LEGACY_METHOD_NOT_FOUND,  /* -32601, 200: there, a 404 says that the session is gone */
    RPC_INVALID_PARAMS,           /* -32602, 200: the envelope was right, its content was not */
    RPC_INVALID_META,             /* -32602, 400: a required _meta field is missing or malformed */
    RPC_INTERNAL_ERROR,           /* -32603, 500 */
    RPC_HANDLER_FAILED,           /* -32603, 200: a script did, and the host is well */
    RPC_RESOURCE_NOT_FOUND,       /* -32002, 200, legacy only */
    RPC_HEADER_MISMATCH,          /* -32020, 400 */
    RPC_CAPABILITY_MISSING,       /* -32021, 400 */
    RPC_VERSION_UNSUPPORTED,      /* -32022, 400 */
    RPC_URL_ELICITATION_REQUIRED, /* -32042, 200, 2025-11-25 only */
    RPC_SESSION_NOT_FOUND,        /* -32001, 404, legacy only: the number the official SDKs send */
    RPC_BUSY,                     /* -32603, 503 */
};

int rpc_code_number(enum rpc_code code);
int rpc_code_http_status(enum rpc_code code);

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESPONSE };

struct rpc_message {
    enum rpc_kind kind;
    struct bytes id;           /* JSON text exactly as sent; empty when absent */
    struct bytes method;       /* request and notification */
    const struct json *params; /* an object, or NULL when absent */
    const struct json *result; /* response: exactly one of result and error is set */
    const struct json *error;
};

/* Reads one message from a parsed value; views in *m live as long as its tape. Returns 0; or -1
 * with *code_r, a static *reason_r that names what is wrong, and m->id set when an id could be read
 * (a reply should carry it). Refused: a value that is no object; jsonrpc other than "2.0"; an id
 * that is null, neither string nor number, or a number with a fraction or an exponent (2^53+1, -1,
 * 0 and "" are fine); a method that is no string; params that is no object; method together with
 * result or error; both or neither of result and error; a result without an id; an error without
 * integer code and string message. With a method but no id it is a notification. An error may lack
 * its id: so a client answers what it could not read. */
int rpc_read(const struct json *root, struct rpc_message *m, enum rpc_code *code_r,
             const char **reason_r);

/* True if `value` is the id whose JSON text is `id`. Compared by value: there is more than one way
 * to escape a string. */
bool rpc_is_id(struct bytes id, const struct json *value);
/* Returns what a tools/call, prompts/get or resources/read is about: params.name or params.uri,
 * which is also what Mcp-Name repeats (2026-07-28 transports/streamable-http, "Standard Request
 * Headers"). {NULL, 0} for other methods, and where it is missing: the method says so, and better.
 */
struct bytes rpc_target(const struct rpc_message *m);

/* Writes {"jsonrpc":"2.0","id":ID,"result":RESULT}; `id` and `result` are JSON text, not empty. */
void rpc_write_result(struct buf *out, struct bytes id, struct bytes result);

/* The same in two halves, for a result that is written straight into `out` between them. */
void rpc_open_result(struct buf *out, struct bytes id);
void rpc_close_result(struct buf *out);

/* Writes an error response. `id` may be empty (left out, as MCP has it), `data` too (JSON text). */
void rpc_write_error(struct buf *out, struct bytes id, enum rpc_code code, struct bytes message,
                     struct bytes data);

/* Write a request or a notification of ours; `params` is JSON text, may be empty. */
void rpc_write_request(struct buf *out, struct bytes id, struct bytes method, struct bytes params);
void rpc_write_notification(struct buf *out, struct bytes method, struct bytes params);

#endif
