/* The loaded scripts: one generation, read from the scripts folder, never changed after.
 *
 * Words. **script**: one file, in a VM of its own. **generation**: all scripts of one load; calls
 * hold a reference, so that an older one lives as long as something runs in it. What scripts offer
 * is in offer.h. */
#ifndef LUNASK_SCRIPT_REGISTRY_H
#define LUNASK_SCRIPT_REGISTRY_H

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "script/offer.h"

#include <stdatomic.h>

struct findings;
struct generation;

struct registry_options {
    const char *folder;
    int64_t vm_memory; /* bytes */
    int64_t vm_cpu_us; /* of a load, and of a run from one question to the next */
    struct log *log;   /* warnings of the load, and whatever the scripts log later */

    /* Where everything that is wrong goes, each thing once, in the order of the scripts' names.
     * With it a mistake in one script does not end the load before the others are tried; without it
     * (NULL) warnings are logged and the first mistake ends the load. */
    const struct findings *findings;

    /* Another thread may set it: then the load ends before the next script. NULL: none does. */
    const atomic_bool *cut;
};

/* Loads every *.lua file of the folder but host.lua, in the order of their names; sub-folders hold
 * modules (lib/) and are not loaded. Returns a reference; or, if there is any mistake, NULL with
 * `error` naming file, line and reason of the first one ("scripts/x.lua:12: …"). */
struct generation *registry_load(const struct registry_options *options, struct error *error);

/* A generation belongs to the thread that loaded it, by whose clock its scripts are held. To hand
 * it to another one, that thread leaves it and the other enters it; in between only
 * registry_release may be called. Entering returns 0, or -1 with `error` when the system has no
 * timer left. */
void registry_leave(struct generation *g);
int registry_enter(struct generation *g, struct error *error);

struct generation *registry_hold(struct generation *g); /* returns another reference */
void registry_release(struct generation *g);            /* the last one closes every VM */

/* Returns the offer of that kind and key, or NULL. */
const struct offer *registry_find(const struct generation *g, enum offer_kind kind,
                                  struct bytes key);

/* Returns the place of the first offer whose key comes after `key`. */
size_t registry_after(const struct generation *g, enum offer_kind kind, struct bytes key);

/* Returns the template that gives `uri`, the most specific one of several, with the values of its
 * variables added to `variables` as a JSON object; or NULL. */
const struct offer *registry_match(const struct generation *g, struct bytes uri,
                                   struct buf *variables);

/* True if completion/complete has anything to answer. */
bool registry_completes(const struct generation *g);

/* Returns how many scripts were loaded. */
size_t registry_script_count(const struct generation *g);

/* The offers of a kind, in the order of their keys. */
size_t registry_count(const struct generation *g, enum offer_kind kind);
const struct offer *registry_at(const struct generation *g, enum offer_kind kind, size_t i);

#endif
