/* Whose turn it is: the calls that are ready to go on, and how much of the loop's time they get.
 *
 * Words. **turn**: one round of the event loop. **quick** calls are new, or were waiting for a
 * person, the store, a file or a server; **slow** ones had to be stopped at the end of a slice
 * (RUN_SLICED), or are new and their script has slow ones.
 *
 * In a turn the quick ones go on, in their order, until they have used TURNS_US; then one of the
 * slow ones has a slice. So a script that computes for long delays others by a slice, however many
 * of its calls do. Nobody waits for ever: where quick calls use up turn after turn, a slow one has
 * a slice in every other. */
#ifndef LUNASK_CALL_TURNS_H
#define LUNASK_CALL_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct vm;

enum { TURNS_US = 4000 };

struct turns_line {
    struct call *first, **end;
};

struct turns {
    struct turns_line quick, slow;
    int64_t used_us; /* by quick calls, in this turn */
    bool slow_ran, slow_ran_before;
};

void turns_init(struct turns *t);

/* The loop has come round. */
void turns_begin(struct turns *t);

/* Whether no quick call may begin in this turn any more. */
bool turns_over(const struct turns *t);

/* Whether the script has slow calls. */
bool turns_slow(const struct turns *t, const struct vm *script);

/* Puts a call that is in neither line to the end of the one it belongs to, by c->slow. */
void turns_add(struct turns *t, struct call *c);
void turns_remove(struct turns *t, struct call *c);

/* Takes the next one out of its line, or returns NULL: the rest waits for the next turn. */
struct call *turns_take(struct turns *t);
bool turns_waiting(const struct turns *t);

/* Notes the time that a call had. */
void turns_used(struct turns *t, const struct call *c, int64_t us);

#endif
