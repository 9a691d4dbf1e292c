#include "script/absent.h"

#include <string.h>

static const struct {
    const char *name, *advice;
} ABSENT[] = {
    {"io", "use ctx:read for files, ctx:log to tell something (see Grants in the README)"},
    {"os.execute", "there are no processes"},
    {"os.exit", "return a result, or end the call with mcp.fail"},
    {"os.getenv", "use ctx:env (see Grants in the README)"},
    {"os.clock", "os.time() is the start of the call"},
    {"os.remove", "keep what you need in ctx.store"},
    {"os.rename", "keep what you need in ctx.store"},
    {"os.tmpname", "keep what you need in ctx.store"},
    {"os.setlocale", "the locale is always C"},
    {"ctx",
     "it is the second argument of handler = function(args, ctx); while a script loads, nothing "
     "can be asked"},
    {"mcp", "begin with local mcp = require \"mcp\""},
    {"json", "begin with local json = require \"json\""},
    {"cjson", "begin with local cjson = require \"cjson\""},
    {"load", "put the code into a file of lib/ and require it"},
    {"loadstring", "put the code into a file of lib/ and require it"},
    {"loadfile", "put the code into a file of lib/ and require it"},
    {"dofile", "put the code into a file of lib/ and require it"},
    {"package", "require finds the files of lib/ and nothing else"},
    {"module", "let the file in lib/ return a table"},
    {"debug", "raise an error: its traceback goes to the log"},
    {"collectgarbage", "memory is freed as it is needed"},
    {"_G", "use the global by its name"},
    {"string.dump", "put the code into a file of lib/ and require it"},
    {"math.randomseed", "each call has a seed of its own"},
    {"coroutine.close", "let the coroutine come to its end"},
    {"coroutine.running", "pass on what the coroutine is to know"},
    {"unpack", "use table.unpack"},
    {"setfenv", "Lua 5.4 has a local _ENV"},
    {"getfenv", "Lua 5.4 has a local _ENV"},
    {"table.getn", "use the operator #"},
    {"table.maxn", "use the operator #"},
    {"math.pow", "use the operator ^"},
    {"bit32", "use the operators &, |, ~, << and >>"},
    {"bit", "use the operators &, |, ~, << and >>"},
};
enum { ABSENT_COUNT = sizeof ABSENT / sizeof ABSENT[0] };

const char *absent_advice(struct bytes name)
{
    for (size_t i = 0; i < ABSENT_COUNT; i++) {
        struct bytes known = bytes_of(ABSENT[i].name);
        bool inside = name.n > known.n && name.p[known.n] == '.' && bytes_starts(name, known);
        if (inside || bytes_equal(name, known)) return ABSENT[i].advice;
    }
    return NULL;
}

/* What scripts do have, but are given in another way. */
static bool is_given(struct bytes name)
{
    return bytes_equal(name, BYTES("ctx")) || bytes_equal(name, BYTES("mcp")) ||
           bytes_equal(name, BYTES("json")) || bytes_equal(name, BYTES("cjson"));
}

void absent_write(struct bytes name, const char *advice, struct buf *out)
{
    buf_printf(out, "%.*s is %s: %s", BYTES_ARG(name),
               is_given(name) ? "no global" : "not available in scripts", advice);
}

/* Returns what stands in quotes behind "(KIND '", or nothing. */
static struct bytes named(struct bytes message, struct bytes kind)
{
    const char *begin = message.n ? memmem(message.p, message.n, kind.p, kind.n) : NULL;
    if (!begin) return (struct bytes){NULL, 0};
    begin += kind.n;
    size_t left = message.n - (size_t)(begin - message.p);
    const char *end = memchr(begin, '\'', left);
    return end ? (struct bytes){begin, (size_t)(end - begin)} : (struct bytes){NULL, 0};
}

/* Returns the absent name that ends in ".FIELD" and stands in the line. */
static struct bytes qualified(struct bytes field, struct bytes line)
{
    for (size_t i = 0; i < ABSENT_COUNT && field.n && line.n; i++) {
        struct bytes name = bytes_of(ABSENT[i].name);
        const char *dot = memchr(name.p, '.', name.n);
        if (!dot || !bytes_equal(bytes_of(dot + 1), field)) continue;
        if (memmem(line.p, line.n, name.p, name.n)) return name;
    }
    return (struct bytes){NULL, 0};
}

void absent_explain(struct bytes message, struct bytes line, struct buf *out)
{
    if (!message.n || !memmem(message.p, message.n, "nil value", 9)) return;
    struct bytes name = named(message, BYTES("(global '"));
    if (!name.n) name = qualified(named(message, BYTES("(field '")), line);
    const char *advice = absent_advice(name);
    if (!advice) return;
    buf_addz(out, ": ");
    absent_write(name, advice, out);
}
