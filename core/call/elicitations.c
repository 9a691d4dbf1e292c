#include "call/elicitations.h"

#include "base/mem.h"

#include <sodium.h>
#include <stdlib.h>

struct elicitation *elicitations_add(struct elicitations *e, struct bytes key, struct bytes params)
{
    unsigned char random[ELICITATION_ID_CHARS / 2];
    struct elicitation *new = mem_alloc(sizeof *new);
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(new->id, sizeof new->id, random, sizeof random);
    new->key = mem_copy(key);
    new->params = mem_copy(params);
    new->next = e->first;
    e->first = new;
    return new;
}

void elicitations_free(struct elicitations *e)
{
    while (e->first) {
        struct elicitation *gone = e->first;
        e->first = gone->next;
        free(gone->key);
        free(gone->params);
        free(gone);
    }
}
