#include "script/bytecode.h"

#include "base/mem.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of lopcodes.h, which is not installed. */
enum { OP_GETTABUP = 11, OP_GETFIELD = 14, OP_SETTABUP = 15 };

/* Of ldump.c: the head of a dump behind the signature, up to the numbers that check the format. */
enum {
    VERSION = 0x54,
    HEAD_BYTES = 4 + 1 + 1 + 6 + 3 + 8 + 8,
    SIZES_AT = 4 + 1 + 1 + 6, /* of an instruction, an integer, a float */
    CONSTANT_FLOAT = 0x13,
    CONSTANT_INTEGER = 0x03,
    CONSTANT_SHORT = 0x04,
    CONSTANT_LONG = 0x14,
    LINE_IS_ABSOLUTE = -0x80,
};

struct reader {
    struct bytes rest; /* empty after a fault: all that is read then is 0 */
    void (*use)(void *arg, const struct bytecode_use *use);
    void *arg;
};

struct function {
    int line; /* where it begins */
    struct bytes code;
    struct bytes *constants; /* strings; others are absent */
    size_t constant_count;
    struct bytes deltas, absolutes; /* lines: one byte an instruction; pairs of ints */
    uint64_t environment;           /* a bit for each of the first 64 upvalues named _ENV */
};

static struct bytes take(struct reader *r, size_t n)
{
    struct bytes got = {r->rest.p, n};
    if (n > r->rest.n) {
        r->rest.n = 0;
        return (struct bytes){NULL, 0};
    }
    r->rest.p += n;
    r->rest.n -= n;
    return got;
}

static unsigned take_byte(struct reader *r)
{
    struct bytes b = take(r, 1);
    return b.n ? (unsigned char)b.p[0] : 0;
}

/* Seven bits a byte, the highest first; the last byte has its top bit set. */
static size_t take_size(struct reader *r)
{
    size_t value = 0;
    while (r->rest.n) {
        unsigned byte = take_byte(r);
        value = value << 7 | (byte & 0x7F);
        if (byte & 0x80) return value;
        if (value > INT_MAX >> 7) r->rest.n = 0;
    }
    return 0;
}

static struct bytes take_string(struct reader *r)
{
    size_t n = take_size(r);
    return n ? take(r, n - 1) : (struct bytes){NULL, 0};
}

static void take_constants(struct reader *r, struct function *f)
{
    f->constant_count = take_size(r);
    if (f->constant_count > r->rest.n) f->constant_count = 0; /* each takes a byte at least */
    f->constants = mem_alloc(f->constant_count * sizeof *f->constants);
    for (size_t i = 0; i < f->constant_count; i++) {
        unsigned type = take_byte(r);
        if (type == CONSTANT_SHORT || type == CONSTANT_LONG)
            f->constants[i] = take_string(r);
        else if (type == CONSTANT_FLOAT || type == CONSTANT_INTEGER)
            take(r, 8);
    }
}

static void take_lines(struct reader *r, struct function *f)
{
    f->deltas = take(r, take_size(r));
    const char *begin = r->rest.p;
    for (size_t n = take_size(r); n && r->rest.n; n--) {
        take_size(r);
        take_size(r);
    }
    f->absolutes = (struct bytes){begin, (size_t)(r->rest.p - begin)};
}

/* The last part of a function: names of its variables. */
static void take_names(struct reader *r, struct function *f)
{
    for (size_t n = take_size(r); n && r->rest.n; n--) {
        take_string(r);
        take_size(r);
        take_size(r);
    }
    size_t count = take_size(r);
    for (size_t i = 0; i < count && r->rest.n; i++)
        if (bytes_equal(take_string(r), BYTES("_ENV")) && i < 64)
            f->environment |= UINT64_C(1) << i;
}

struct instruction {
    unsigned op, a, b, c;
};

static struct instruction instruction(const struct function *f, size_t pc)
{
    uint32_t word = 0;
    if ((pc + 1) * sizeof word <= f->code.n)
        memcpy(&word, f->code.p + pc * sizeof word, sizeof word);
    return (struct instruction){word & 0x7F, word >> 7 & 0xFF, word >> 16 & 0xFF, word >> 24};
}

static bool is_environment(const struct function *f, unsigned upvalue)
{
    return upvalue < 64 && (f->environment >> upvalue & 1);
}

static struct bytes constant(const struct function *f, unsigned i)
{
    return i < f->constant_count ? f->constants[i] : (struct bytes){NULL, 0};
}

static void tell(const struct reader *r, const struct function *f, size_t pc, int line)
{
    struct instruction at = instruction(f, pc), after = instruction(f, pc + 1);
    struct bytecode_use use = {.line = line};
    if (at.op == OP_GETTABUP && is_environment(f, at.b)) {
        use.name = constant(f, at.c);
        if (after.op == OP_GETFIELD && after.b == at.a) use.member = constant(f, after.c);
    } else if (at.op == OP_SETTABUP && is_environment(f, at.a)) {
        use.name = constant(f, at.b);
        use.set = true;
    }
    if (use.name.n) r->use(r->arg, &use);
}

/* Each instruction has the distance from the line before it; where that is too far, the line itself
 * is in the list of pairs. */
static void walk(const struct reader *r, const struct function *f)
{
    struct reader absolutes = {.rest = f->absolutes};
    int line = f->line;
    take_size(&absolutes); /* their number */
    for (size_t pc = 0; pc < f->deltas.n && pc < f->code.n / 4; pc++) {
        int byte = (unsigned char)f->deltas.p[pc];
        int delta = byte < 0x80 ? byte : byte - 0x100;
        if (delta == LINE_IS_ABSOLUTE) {
            take_size(&absolutes); /* the pc */
            line = (int)take_size(&absolutes);
        } else {
            line += delta;
        }
        tell(r, f, pc, line);
    }
}

/* Recurses as deep as functions are nested, which Lua's compiler bounds by 200. */
static void take_function(struct reader *r)
{
    struct function f = {0};
    take_string(r); /* the name of the chunk */
    f.line = (int)take_size(r);
    take_size(r); /* its last line */
    take(r, 3);   /* parameters, whether there may be more, size of its stack */
    f.code = take(r, take_size(r) * 4);
    take_constants(r, &f);
    take(r, take_size(r) * 3); /* upvalues */
    for (size_t n = take_size(r); n && r->rest.n; n--)
        take_function(r);
    take_lines(r, &f);
    take_names(r, &f);
    if (r->rest.p) walk(r, &f);
    free(f.constants);
}

static bool is_known(struct bytes dump)
{
    return dump.n > HEAD_BYTES && bytes_starts(dump, BYTES(LUA_SIGNATURE)) &&
           dump.p[4] == VERSION && dump.p[5] == 0 && dump.p[SIZES_AT] == 4 &&
           dump.p[SIZES_AT + 1] == 8 && dump.p[SIZES_AT + 2] == 8;
}

void bytecode_uses(struct bytes dump, void (*use)(void *arg, const struct bytecode_use *use),
                   void *arg)
{
    struct reader r = {dump, use, arg};
    if (!is_known(dump)) return;
    take(&r, HEAD_BYTES + 1); /* and the number of upvalues */
    take_function(&r);
}

static int add(lua_State *L, const void *p, size_t n, void *out)
{
    (void)L;
    buf_add(out, (struct bytes){p, n});
    return 0;
}

void bytecode_dump(lua_State *L, struct buf *out)
{
    lua_dump(L, add, out, 0);
}
