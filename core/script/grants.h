/* What scripts may reach beyond their own VM and their own rows: nothing, unless host.lua grants
 * it.
 *
 *   grants = { weather = { env = { "WEATHER_KEY" }, read = { "data" }, http = { "example.com" },
 *                          store = { book_meeting = { "bookings" }, notes = { all = "write" } },
 *                          callback = true } }
 *
 * Words. **grant**: one script may use one thing. **use**: one thing that a script is about to do,
 * in the same form.
 *
 * To add a kind: a value of enum grant_kind, its line in KINDS and in `covers` and `add_reason` of
 * grants.c, its reader in grants_read.c, and a line in the README's table. */
#ifndef LUNASK_SCRIPT_GRANTS_H
#define LUNASK_SCRIPT_GRANTS_H

#include "base/buf.h"
#include "base/error.h"

/* In the order of their names. */
enum grant_kind { GRANT_CALLBACK, GRANT_ENV, GRANT_HTTP, GRANT_READ, GRANT_STORE };

struct grant {
    enum grant_kind kind;
    struct bytes script; /* who has it, or would use it */
    struct bytes owner;  /* STORE: the script whose collection it is */
    struct bytes
        name;   /* CALLBACK: empty; ENV: the variable; HTTP: as grants_http.h keeps it, of a use the
                   origin;   READ: the folder, of a use the file; STORE: the collection */
    bool write; /* STORE: and not only read */
};

/* Never changed once it is read (grants_read.h). NULL has no grant in it. */
struct grants;

struct grants *grants_new(void); /* returns owned */
void grants_free(struct grants *g);

/* Copies it. */
void grants_add(struct grants *g, const struct grant *grant);

/* In the order in which they were added. */
size_t grants_count(const struct grants *g);
const struct grant *grants_at(const struct grants *g, size_t i);

/* Returns the grant that allows the use; or NULL, and in `error` what may not be done and the line
 * of host.lua that would allow it. */
const struct grant *grants_find(const struct grants *g, const struct grant *use,
                                struct error *error);

/* Returns what the kind is called in host.lua. */
const char *grants_kind_name(enum grant_kind kind);

/* Adds what a person can read of a grant: "env WEATHER_KEY", "store book_meeting/bookings (read)".
 */
void grants_describe(const struct grant *grant, struct buf *out);

#endif
