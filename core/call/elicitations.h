/* The URL elicitations that a call has sent to a client of 2025-11-25, which knows each by an id
 * and may be told when what it was for is done (2025-11-25 client/elicitation, "Completion
 * Notifications for URL Mode Elicitation"). No other version has ids or that notification. */
#ifndef LUNASK_CALL_ELICITATIONS_H
#define LUNASK_CALL_ELICITATIONS_H

#include "base/bytes.h"

#include <stdbool.h>

enum { ELICITATION_ID_CHARS = 32 };

struct elicitation {
    char id[ELICITATION_ID_CHARS + 1]; /* 128 random bits in hex: nobody guesses one */
    char *key;                         /* of its question */
    char *params;                      /* of its request, as JSON text */
    bool complete;                     /* the client was told */
    struct elicitation *next;
};

struct elicitations {
    struct elicitation *first;
};

/* Makes one with a fresh id. Returned is borrowed, until elicitations_free. */
struct elicitation *elicitations_add(struct elicitations *e, struct bytes key, struct bytes params);
void elicitations_free(struct elicitations *e);

#endif
