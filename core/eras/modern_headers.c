#include "eras/modern_headers.h"

#include "methods/capabilities.h"
#include "wire/headers.h"

/* `format` is one of the two below: the name of the header, then what the body says. What the
 * header says is not repeated: it may be anything. */
static int mismatch(struct exchange *x, const char *format, const char *name, struct bytes body)
{
    struct buf text = {0};
    buf_addz(&text, "Header mismatch: ");
    buf_printf(&text, format, name, BYTES_ARG(body));
    exchange_error(x, RPC_HEADER_MISMATCH, buf_text(&text));
    buf_free(&text);
    return -1;
}

static const char MISSING[] = "%s is missing; the body says '%.*s'";
static const char DIFFERS[] = "%s does not match the body, which says '%.*s'";

int modern_headers_check_version(struct exchange *x, struct bytes version)
{
    if (!x->has_headers) return 0;
    struct bytes header = x->channel->header(x, "MCP-Protocol-Version");
    if (!header.p || bytes_equal(header, version)) return 0;
    return mismatch(x, DIFFERS, "MCP-Protocol-Version", version);
}

static int check_plain(struct exchange *x, const char *name, struct bytes body)
{
    struct bytes header = x->channel->header(x, name);
    if (!header.p) return mismatch(x, MISSING, name, body);
    return bytes_equal(header, body) ? 0 : mismatch(x, DIFFERS, name, body);
}

/* For headers whose value may be in base64 ("Value Encoding"): decoded first, then compared. */
static int check_encoded(struct exchange *x, const char *name, struct bytes body)
{
    struct buf value = {0};
    struct bytes header = x->channel->header(x, name);
    int result = 0;
    if (!header.p)
        result = mismatch(x, MISSING, name, body);
    else if (headers_decode_value(header, &value) != 0 || !bytes_equal(buf_bytes(&value), body))
        result = mismatch(x, DIFFERS, name, body);
    buf_free(&value);
    return result;
}

int modern_headers_check(struct exchange *x)
{
    if (!x->has_headers) return 0;
    struct bytes version = x->channel->header(x, "MCP-Protocol-Version");
    struct bytes name = rpc_target(&x->message);
    if (!version.p)
        return mismatch(x, MISSING, "MCP-Protocol-Version", BYTES(CAPABILITIES_MODERN_VERSION));
    if (check_plain(x, "Mcp-Method", x->message.method) != 0) return -1;
    return name.p ? check_encoded(x, "Mcp-Name", name) : 0;
}
