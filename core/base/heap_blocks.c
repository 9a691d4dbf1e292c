#include "base/heap_blocks.h"

/* `size` and `before` stand in every block, the others in free ones. */
struct heap_block {
    size_t before; /* size of the block below; 0 for the first */
    size_t size;   /* with FREE */
    struct heap_block *next, *prev;
    size_t idle; /* bytes of it that may be in memory */
};

enum { UNIT = 64, HEAD = 16, FREE = 1, TRIMMED = 16 * 1024 };

static size_t size_for(size_t n)
{
    return heap_area_round(n + HEAD, UNIT);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static char *data_of(struct heap_block *b)
{
    return (char *)b + HEAD;
}

static struct heap_block *at(char *p)
{
    return (struct heap_block *)(void *)p;
}

static struct heap_block *block_of(void *p, size_t n)
{
    struct heap_block *b = at((char *)p - HEAD);
    if (b->size != size_for(n)) heap_area_damaged();
    return b;
}

/* Up to 8 units each size has a list of its own; then eight lists share a doubling. */
static unsigned list_for(size_t size)
{
    size_t units = size / UNIT;
    if (units < 8) return (unsigned)units;
    unsigned doublings = 63 - (unsigned)__builtin_clzll(units);
    return (doublings - 2) * 8 + (unsigned)((units >> (doublings - 3)) & 7);
}

static void list(struct heap_blocks *blocks, struct heap_block *b, size_t size, size_t idle)
{
    unsigned i = list_for(size);
    heap_area_show(b, sizeof *b, size);
    b->size = size | FREE;
    b->idle = idle;
    b->prev = NULL;
    b->next = blocks->lists[i];
    if (b->next) b->next->prev = b;
    blocks->lists[i] = b;
    blocks->listed[i / 64] |= (uint64_t)1 << i % 64;
}

/* Takes `b` off its list. Returns its size. */
static size_t unlist(struct heap_blocks *blocks, struct heap_block *b)
{
    size_t size = b->size - FREE;
    unsigned i = list_for(size);
    if (b->next) b->next->prev = b->prev;
    if (b->prev)
        b->prev->next = b->next;
    else
        blocks->lists[i] = b->next;
    if (!blocks->lists[i]) blocks->listed[i / 64] &= ~((uint64_t)1 << i % 64);
    return size;
}

/* Returns the first list from `i` on that is not empty, or HEAP_BLOCKS_LISTS. */
static unsigned next_listed(const struct heap_blocks *blocks, unsigned i)
{
    if (i >= HEAP_BLOCKS_LISTS) return HEAP_BLOCKS_LISTS;
    uint64_t bits = blocks->listed[i / 64] & ~(uint64_t)0 << i % 64;
    for (i /= 64; !bits; bits = blocks->listed[i])
        if (++i == HEAP_BLOCKS_LISTS / 64) return HEAP_BLOCKS_LISTS;
    return i * 64 + (unsigned)__builtin_ctzll(bits);
}

/* A few blocks of the list that `size` belongs to may be too small; those of later ones are not. */
static struct heap_block *find(const struct heap_blocks *blocks, size_t size)
{
    enum { LOOKED_AT = 4 };
    unsigned i = list_for(size);
    struct heap_block *b = blocks->lists[i];
    for (int looked = 0; b && looked < LOOKED_AT; looked++, b = b->next)
        if (b->size >= size) return b;
    i = next_listed(blocks, i + 1);
    return i < HEAP_BLOCKS_LISTS ? blocks->lists[i] : NULL;
}

/* Takes the first `size` bytes of the free block `b`, and lists the others. Returns false if there
 * is no room for them in memory. */
static bool take_from(struct heap_blocks *blocks, struct heap_block *b, size_t size)
{
    char *end = (char *)b + (b->size - FREE);
    size_t rest = b->size - FREE - size;
    size_t rest_idle = smaller(b->idle, rest); /* which bytes are idle is not known */
    if (!heap_area_hold(blocks->room, size, b->idle - rest_idle)) return false;
    unlist(blocks, b);
    if (rest) {
        list(blocks, at((char *)b + size), rest, rest_idle);
        at(end)->before = rest;
    }
    return true;
}

static bool take_top(struct heap_blocks *blocks, size_t size)
{
    size_t idle = smaller(blocks->top_idle, size);
    if (size > (size_t)(blocks->area.end - blocks->top)) return false;
    if (!heap_area_open(&blocks->area, blocks->top + size)) return false;
    if (!heap_area_hold(blocks->room, size, idle)) return false;
    blocks->top += size;
    blocks->top_idle -= idle;
    return true;
}

/* Makes `b` a block in use of `size` bytes, `n` of them for the caller. */
static void *settle(struct heap_blocks *blocks, struct heap_block *b, size_t size, size_t n)
{
    char *end = (char *)b + size;
    *(end < blocks->top ? &at(end)->before : &blocks->last) = size;
    b->size = size;
    heap_area_show(data_of(b), n, size - HEAD);
    return data_of(b);
}

void *heap_blocks_alloc(struct heap_blocks *blocks, size_t n)
{
    size_t size = size_for(n);
    struct heap_block *b = find(blocks, size);
    if (b) return take_from(blocks, b, size) ? settle(blocks, b, size, n) : NULL;
    b = at(blocks->top);
    if (!take_top(blocks, size)) return NULL;
    heap_area_show(b, HEAD, HEAD);
    b->before = blocks->last;
    return settle(blocks, b, size, n);
}

/* Frees the block `b` of `size` bytes, which was in use. */
static void join(struct heap_blocks *blocks, struct heap_block *b, size_t size)
{
    char *end = (char *)b + size;
    size_t idle = size;
    blocks->room->held -= size;
    blocks->room->idle += size;
    if (end < blocks->top && at(end)->size & FREE) {
        idle += at(end)->idle;
        end += unlist(blocks, at(end));
    }
    if (b->before && at((char *)b - b->before)->size & FREE) {
        b = at((char *)b - b->before);
        idle += b->idle;
        unlist(blocks, b);
    }
    if (end < blocks->top) {
        list(blocks, b, (size_t)(end - (char *)b), idle);
        at(end)->before = (size_t)(end - (char *)b);
        return;
    }
    blocks->last = b->before;
    blocks->top = (char *)b;
    blocks->top_idle += idle;
    heap_area_show(b, 0, (size_t)(end - (char *)b));
}

void heap_blocks_release(struct heap_blocks *blocks, void *p, size_t n)
{
    struct heap_block *b = block_of(p, n);
    join(blocks, b, b->size);
}

static bool grow(struct heap_blocks *blocks, struct heap_block *b, size_t size)
{
    size_t more = size - b->size;
    char *end = (char *)b + b->size;
    if (end == blocks->top) return take_top(blocks, more);
    bool fits = at(end)->size & FREE && at(end)->size - FREE >= more;
    return fits && take_from(blocks, at(end), more);
}

static void shrink(struct heap_blocks *blocks, struct heap_block *b, size_t size)
{
    size_t rest = b->size - size;
    struct heap_block *above = at((char *)b + size);
    heap_area_show(above, HEAD, HEAD);
    above->before = size;
    join(blocks, above, rest);
}

bool heap_blocks_resize(struct heap_blocks *blocks, void *p, size_t old_n, size_t n)
{
    struct heap_block *b = block_of(p, old_n);
    size_t size = size_for(n);
    if (size > b->size && !grow(blocks, b, size)) return false;
    if (size < b->size) shrink(blocks, b, size);
    settle(blocks, b, size, n);
    return true;
}

static void trim_block(struct heap_blocks *blocks, struct heap_block *b)
{
    if (b->idle < TRIMMED) return;
    size_t size = b->size - FREE;
    size_t given = heap_area_give_back((char *)(b + 1), (char *)b + size);
    size_t idle = smaller(b->idle, size - given);
    blocks->room->idle -= b->idle - idle;
    b->idle = idle;
}

void heap_blocks_trim(struct heap_blocks *blocks)
{
    unsigned i = list_for(TRIMMED);
    while ((i = next_listed(blocks, i)) < HEAP_BLOCKS_LISTS)
        for (struct heap_block *b = blocks->lists[i++]; b; b = b->next)
            trim_block(blocks, b);
    size_t idle = blocks->top_idle;
    size_t page_edge = heap_area_give_back(blocks->top, blocks->area.open);
    blocks->top_idle = smaller(idle, (size_t)(blocks->area.open - blocks->top) - page_edge);
    blocks->room->idle -= idle - blocks->top_idle;
}
