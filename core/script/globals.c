#include "script/globals.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "script/absent.h"
#include "script/bytecode.h"
#include "script/finding.h"
#include "script/vm.h"

#include <stdlib.h>

enum { NAMES_MOST = 64, NAME_BYTES = 64 }; /* of the globals that may have been meant */

struct uses {
    struct bytecode_use *at;
    size_t n;
};

void globals_note(lua_State *L, const char *name)
{
    struct vm *vm = vm_of(L);
    if (!vm->findings) return;
    struct globals_chunk *chunk = mem_alloc(sizeof *chunk);
    chunk->file = mem_copy(bytes_of(name[0] == '@' ? name + 1 : name));
    bytecode_dump(L, &chunk->dump);
    chunk->next = vm->chunks;
    vm->chunks = chunk;
}

static void add_use(void *arg, const struct bytecode_use *use)
{
    struct uses *uses = arg;
    if ((uses->n & (uses->n - 1)) == 0) /* doubles at each power of two */
        uses->at = mem_realloc(uses->at, (uses->n ? uses->n * 2 : 1) * sizeof *uses->at);
    uses->at[uses->n++] = *use;
}

static int by_line(const void *a, const void *b)
{
    const struct bytecode_use *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    int order = bytes_compare(x->name, y->name);
    return order ? order : bytes_compare(x->member, y->member);
}

static void warn(struct vm *vm, const char *file, int line, struct buf *text)
{
    struct finding f = {true, bytes_of(file), line, buf_bytes(text)};
    vm->findings->add(vm->findings->arg, &f);
    buf_free(text);
}

/* Pushes the value of a global, looked up without making a string: there may be no memory left.
 * [-0, +1] */
static void push_member(lua_State *L, int table, struct bytes name)
{
    table = lua_absindex(L, table);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        struct bytes key = {NULL, 0};
        if (lua_type(L, -2) == LUA_TSTRING) key.p = lua_tolstring(L, -2, &key.n);
        if (key.p && bytes_equal(key, name)) {
            lua_remove(L, -2);
            return;
        }
        lua_pop(L, 1);
    }
    lua_pushnil(L);
}

/* Adds the known global that is nearest to `name`. */
static void add_nearest(lua_State *L, struct bytes name, struct buf *text)
{
    const char *names[NAMES_MOST + 1] = {NULL};
    size_t n = 0;
    char wanted[NAME_BYTES + 1] = "";
    if (name.n > NAME_BYTES) return;
    for (size_t i = 0; i < name.n; i++)
        wanted[i] = name.p[i];
    lua_pushglobaltable(L);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (n < NAMES_MOST && lua_type(L, -2) == LUA_TSTRING) names[n++] = lua_tostring(L, -2);
        lua_pop(L, 1);
    }
    const char *near = nearest_name(wanted, names); /* strings of the table, which is still there */
    if (near) buf_printf(text, " (did you mean '%s'?)", near);
    lua_pop(L, 1);
}

/* Judges the read of a member of a library that is there ("os.execute"). [-0, +0] */
static bool lacks_member(lua_State *L, const struct bytecode_use *use)
{
    bool lacks = false;
    if (use->member.n && lua_istable(L, -1)) {
        push_member(L, -1, use->member);
        lacks = lua_isnil(L, -1);
        lua_pop(L, 1);
    }
    return lacks;
}

static void judge_read(struct vm *vm, const char *file, const struct bytecode_use *use)
{
    lua_State *L = vm->L;
    struct buf name = {0}, text = {0};
    lua_pushglobaltable(L);
    push_member(L, -1, use->name);
    bool there = !lua_isnil(L, -1);
    bool lacks = lacks_member(L, use);
    lua_pop(L, 2);
    buf_add(&name, use->name);
    if (use->member.n) buf_printf(&name, ".%.*s", BYTES_ARG(use->member));
    const char *advice = absent_advice(buf_bytes(&name));
    if (advice && (!there || lacks)) {
        absent_write(buf_bytes(&name), advice, &text);
    } else if (!there) {
        buf_printf(&text, "nothing sets the global '%.*s'", BYTES_ARG(use->name));
        add_nearest(L, use->name, &text);
    }
    if (text.n) warn(vm, file, use->line, &text);
    buf_free(&name);
}

/* True if an earlier use was about the same. */
static bool told_before(const struct uses *uses, size_t i)
{
    const struct bytecode_use *use = &uses->at[i];
    for (size_t j = 0; j < i; j++)
        if (uses->at[j].set == use->set && bytes_equal(uses->at[j].name, use->name) &&
            (use->set || bytes_equal(uses->at[j].member, use->member)))
            return true;
    return false;
}

static bool is_set(const struct uses *uses, struct bytes name)
{
    for (size_t i = 0; i < uses->n; i++)
        if (uses->at[i].set && bytes_equal(uses->at[i].name, name)) return true;
    return false;
}

static void judge(struct vm *vm, const char *file, const struct uses *uses)
{
    for (size_t i = 0; i < uses->n; i++) {
        const struct bytecode_use *use = &uses->at[i];
        struct buf text = {0};
        if (told_before(uses, i)) continue;
        if (!use->set) {
            if (!is_set(uses, use->name)) judge_read(vm, file, use);
            continue;
        }
        buf_printf(&text,
                   "sets the global '%.*s', which all calls of the script share: write local",
                   BYTES_ARG(use->name));
        warn(vm, file, use->line, &text);
    }
}

void globals_tell(struct vm *vm)
{
    while (vm->chunks) {
        struct globals_chunk *chunk = vm->chunks;
        struct uses uses = {NULL, 0};
        vm->chunks = chunk->next;
        bytecode_uses(buf_bytes(&chunk->dump), add_use, &uses);
        if (uses.n) qsort(uses.at, uses.n, sizeof *uses.at, by_line);
        if (!vm->limits.dead && vm->findings) judge(vm, chunk->file, &uses);
        free(uses.at);
        buf_free(&chunk->dump);
        free(chunk->file);
        free(chunk);
    }
}
