#include "store/memory.h"

#include "base/mem.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* What a table holds: the head of a row and of a collection. */
struct node {
    struct node *chain; /* the next one of the same slot */
    uint64_t hash;      /* kept: growing the table then reads no key */
    struct bytes key;   /* owned by whoever owns the node */
};

/* A hash table of nodes with chains; `slots` is a power of two, or 0 before the first node. */
struct table {
    struct node **slot;
    size_t slots, n;
};

/* A row is in two structures: its collection's table, by key, and the list older ↔ newer, by age.
 * One allocation holds it and its key; the value is another, as it is replaced. */
struct row {
    struct node node;
    struct row *older, *newer;
    char *value;
    size_t value_n;
    char key[];
};

struct collection {
    struct node node; /* its key is script, NUL, collection: neither holds a NUL */
    struct table rows;
    struct row *first, *last; /* in the order of first writing */
    char key[];
};

/* One table finds the collection, the collection's own table finds the row; a list through the rows
 * keeps their order. A collection is made by its first row and goes with its last, so that names
 * that came and went take no memory. */
struct memory {
    struct store store;
    struct table collections;
    unsigned char seed[crypto_shorthash_KEYBYTES];
};

/* Keyed, because clients choose keys and could otherwise fill one slot. */
static uint64_t hash_of(const struct memory *m, struct bytes key)
{
    uint64_t hash;
    _Static_assert(sizeof hash == crypto_shorthash_BYTES, "a hash is 64 bits");
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)key.p, key.n, m->seed);
    return hash;
}

/* Returns the place that points to the node, or to NULL where it would be; NULL while the table
 * has no slots. */
static struct node **table_place(const struct table *t, uint64_t hash, struct bytes key)
{
    if (t->slots == 0) return NULL;
    struct node **at = &t->slot[hash & (t->slots - 1)];
    while (*at && !((*at)->hash == hash && bytes_equal((*at)->key, key)))
        at = &(*at)->chain;
    return at;
}

static struct node *table_find(const struct table *t, uint64_t hash, struct bytes key)
{
    struct node **at = table_place(t, hash, key);
    return at ? *at : NULL;
}

/* Doubles the slots: with no more nodes than slots a chain is about one node long. */
static void table_grow(struct table *t)
{
    size_t slots = t->slots ? t->slots * 2 : 8;
    struct node **slot = mem_alloc(slots * sizeof(struct node *));
    for (size_t i = 0; i < t->slots; i++) {
        for (struct node *node = t->slot[i], *next; node; node = next) {
            next = node->chain;
            node->chain = slot[node->hash & (slots - 1)];
            slot[node->hash & (slots - 1)] = node;
        }
    }
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
}

static void table_add(struct table *t, struct node *node)
{
    if (t->n == t->slots) table_grow(t);
    struct node **slot = &t->slot[node->hash & (t->slots - 1)];
    node->chain = *slot;
    *slot = node;
    t->n++;
}

static void table_remove(struct table *t, const struct node *node)
{
    struct node **at = table_place(t, node->hash, node->key);
    *at = node->chain;
    t->n--;
}

/* Writes the key of a collection's node into `space`. */
static struct bytes collection_key(char space[2 * STORE_NAME_BYTES + 1], struct bytes script,
                                   struct bytes collection)
{
    memcpy(space, script.p, script.n);
    space[script.n] = '\0';
    memcpy(space + script.n + 1, collection.p, collection.n);
    return (struct bytes){space, script.n + 1 + collection.n};
}

static struct collection *find_collection(const struct memory *m, struct bytes script,
                                          struct bytes collection)
{
    char space[2 * STORE_NAME_BYTES + 1];
    struct bytes key = collection_key(space, script, collection);
    /* The node is the first member: a pointer to it is one to the whole. So it is with rows. */
    return (struct collection *)table_find(&m->collections, hash_of(m, key), key);
}

static struct collection *add_collection(struct memory *m, struct bytes script,
                                         struct bytes collection)
{
    struct collection *c = mem_alloc(sizeof *c + script.n + 1 + collection.n);
    c->node.key = (struct bytes){c->key, script.n + 1 + collection.n};
    memcpy(c->key, script.p, script.n);
    memcpy(c->key + script.n + 1, collection.p, collection.n);
    c->node.hash = hash_of(m, c->node.key);
    table_add(&m->collections, &c->node);
    return c;
}

static struct row *find_row(const struct memory *m, const struct collection *c, struct bytes key)
{
    return c ? (struct row *)table_find(&c->rows, hash_of(m, key), key) : NULL;
}

/* Adds a row without a value at the end of the order. */
static struct row *add_row(const struct memory *m, struct collection *c, struct bytes key)
{
    struct row *r = mem_alloc(sizeof *r + key.n);
    memcpy(r->key, key.p, key.n);
    r->node.key = (struct bytes){r->key, key.n};
    r->node.hash = hash_of(m, key);
    table_add(&c->rows, &r->node);
    r->older = c->last;
    if (c->last)
        c->last->newer = r;
    else
        c->first = r;
    c->last = r;
    return r;
}

static void free_row(struct row *r)
{
    free(r->value);
    free(r);
}

static void remove_row(struct collection *c, struct row *r)
{
    table_remove(&c->rows, &r->node);
    if (r->older)
        r->older->newer = r->newer;
    else
        c->first = r->newer;
    if (r->newer)
        r->newer->older = r->older;
    else
        c->last = r->older;
    free_row(r);
}

static void free_collection(struct collection *c)
{
    for (struct row *r = c->first, *newer; r; r = newer) {
        newer = r->newer;
        free_row(r);
    }
    free(c->rows.slot);
    free(c);
}

static int memory_get(struct store *s, struct bytes script, struct bytes collection,
                      struct bytes key, struct buf *value, bool *found_r, struct error *error)
{
    (void)error;
    const struct memory *m = (struct memory *)s;
    const struct row *r = find_row(m, find_collection(m, script, collection), key);
    *found_r = r != NULL;
    if (r) buf_add(value, (struct bytes){r->value, r->value_n});
    return 0;
}

static int memory_list(struct store *s, struct bytes script, struct bytes collection,
                       struct bytes after, size_t limit, store_row_fn *row, void *arg,
                       struct error *error)
{
    (void)error;
    const struct memory *m = (struct memory *)s;
    const struct collection *c = find_collection(m, script, collection);
    if (!c) return 0;
    const struct row *from = after.n ? find_row(m, c, after) : NULL;
    for (const struct row *r = from ? from->newer : c->first; r && limit; r = r->newer, limit--)
        if (row(arg, r->node.key, (struct bytes){r->value, r->value_n})) break;
    return 0;
}

static int memory_count(struct store *s, struct bytes script, struct bytes collection,
                        int64_t *count_r, struct error *error)
{
    (void)error;
    const struct collection *c = find_collection((struct memory *)s, script, collection);
    *count_r = c ? (int64_t)c->rows.n : 0;
    return 0;
}

/* The key of a collection is both names, with a NUL between them. */
static int memory_names(struct store *s, store_names_fn *names, void *arg, struct error *error)
{
    (void)error;
    const struct memory *m = (struct memory *)s;
    for (size_t i = 0; i < m->collections.slots; i++) {
        for (const struct node *node = m->collections.slot[i]; node; node = node->chain) {
            struct bytes collection = node->key, script = {NULL, 0};
            bytes_split(&collection, '\0', &script);
            if (names(arg, script, collection)) return 0;
        }
    }
    return 0;
}

static void put(struct memory *m, const struct store_write *w)
{
    struct collection *c = find_collection(m, w->script, w->collection);
    if (!c) c = add_collection(m, w->script, w->collection);
    struct row *r = find_row(m, c, w->key);
    if (!r) r = add_row(m, c, w->key);
    free(r->value);
    r->value = mem_copy(w->value);
    r->value_n = w->value.n;
}

/* A row that was deleted and comes again is a new one: its old place is not kept. */
static void take_out(struct memory *m, const struct store_write *w)
{
    struct collection *c = find_collection(m, w->script, w->collection);
    struct row *r = find_row(m, c, w->key);
    if (!r) return;
    remove_row(c, r);
    if (c->rows.n > 0) return;
    table_remove(&m->collections, &c->node);
    free_collection(c);
}

static bool holds(const struct memory *m, const struct store_write *w)
{
    const struct row *r = find_row(m, find_collection(m, w->script, w->collection), w->key);
    if (!r || !w->value.p) return !r && !w->value.p;
    return bytes_equal((struct bytes){r->value, r->value_n}, w->value);
}

/* Whole or not at all needs no more than this: within the bounds no write can fail. */
static int memory_commit(struct store *s, const struct store_write *writes, size_t n,
                         struct error *error)
{
    (void)error;
    for (size_t i = 0; i < n; i++)
        if (writes[i].kind == STORE_EXPECT && !holds((struct memory *)s, &writes[i]))
            return STORE_CHANGED;
    for (size_t i = 0; i < n; i++) {
        if (writes[i].kind == STORE_PUT)
            put((struct memory *)s, &writes[i]);
        else if (writes[i].kind == STORE_DELETE)
            take_out((struct memory *)s, &writes[i]);
    }
    return 0;
}

static void memory_close(struct store *s)
{
    struct memory *m = (struct memory *)s;
    for (size_t i = 0; i < m->collections.slots; i++) {
        for (struct node *node = m->collections.slot[i], *next; node; node = next) {
            next = node->chain;
            free_collection((struct collection *)node);
        }
    }
    free(m->collections.slot);
    free(m);
}

struct store *store_memory_open(void)
{
    static const struct store_ops ops = {.get = memory_get,
                                         .list = memory_list,
                                         .count = memory_count,
                                         .names = memory_names,
                                         .commit = memory_commit,
                                         .close = memory_close};
    struct memory *m = mem_alloc(sizeof *m);
    m->store.ops = &ops;
    crypto_shorthash_keygen(m->seed);
    return &m->store;
}
