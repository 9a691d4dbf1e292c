#include "store/sqlite.h"

#include "base/mem.h"
#include "store/sqlite_file.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
    APPLICATION_ID = 0x6c756e61, /* "luna"; SCHEMA below says it once more */
    SCHEMA_VERSION = 1,          /* so does its user_version */
    BUSY_MS = 5000,              /* the advice for SQLITE_BUSY says it in words */
};

/* `seq` gives the order of first writing: an upsert keeps it. The index ends in the rowid, which is
 * `seq`, so a collection is read in order without sorting. The pragmas are part of the transaction
 * that makes the table: a file is ours as a whole or not at all. */
static const char SCHEMA[] = "CREATE TABLE rows ("
                             " seq INTEGER PRIMARY KEY AUTOINCREMENT,"
                             " script TEXT NOT NULL,"
                             " collection TEXT NOT NULL,"
                             " key TEXT NOT NULL,"
                             " value TEXT NOT NULL,"
                             " UNIQUE (script, collection, key));"
                             "CREATE INDEX rows_in_order ON rows (script, collection);"
                             "PRAGMA application_id = 0x6c756e61;"
                             "PRAGMA user_version = 1;";

/* Everything is prepared once: a call pays for binding and stepping only. */
enum statement {
    GET,
    LIST,
    COUNT,
    NAMES,
    PUT,
    DELETE,
    BEGIN,
    COMMIT,
    ROLLBACK,
    SAVE,
    RELEASE,
    RETURN,
    STATEMENTS
};

#define OF_COLLECTION "script = ?1 AND collection = ?2"

static const char *const SQL[STATEMENTS] = {
    [GET] = "SELECT value FROM rows WHERE " OF_COLLECTION " AND key = ?3",
    [LIST] = ("SELECT key, value FROM rows WHERE " OF_COLLECTION " AND seq > coalesce((SELECT seq "
              "FROM rows WHERE " OF_COLLECTION " AND key = ?3), 0) ORDER BY seq LIMIT ?4"),
    [COUNT] = "SELECT count(*) FROM rows WHERE " OF_COLLECTION,
    [NAMES] = "SELECT DISTINCT script, collection FROM rows",
    [PUT] = ("INSERT INTO rows (script, collection, key, value) VALUES (?1, ?2, ?3, ?4) "
             "ON CONFLICT (script, collection, key) DO UPDATE SET value = excluded.value"),
    [DELETE] = "DELETE FROM rows WHERE " OF_COLLECTION " AND key = ?3",
    [BEGIN] = "BEGIN IMMEDIATE", /* see sqlite_commit */
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [SAVE] = "SAVEPOINT one",
    [RELEASE] = "RELEASE one",
    [RETURN] = "ROLLBACK TO one",
};

struct sqlite {
    struct store store;
    char *path; /* as the operator wrote it, for messages */
    sqlite3 *db;
    bool together;                      /* between begin and end */
    sqlite3_stmt *prepared[STATEMENTS]; /* NULL until opening has come to them */
};

/* What the operator can do; NULL when only SQLite's own words help. */
static const char *advice(int code)
{
    switch (code & 0xff) { /* the primary code of an extended one */
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another process kept it locked for 5 seconds; stop that process or try again";
    case SQLITE_FULL:
        return "its disk is full; free some space";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return "it cannot be opened for this; make the file and its folder readable and writable "
               "for this user";
    case SQLITE_CORRUPT:
        return "the file is damaged; put back a backup, or save what is left with "
               "\"sqlite3 FILE .recover\"";
    case SQLITE_NOTADB:
        return "the file is not a database; name another with --store PATH";
    case SQLITE_IOERR:
        return "the disk did not do as told; check it and the limits on file size";
    default:
        return NULL;
    }
}

/* Reports the failure of the latest call of SQLite: to be called before any other, which would take
 * its place. Advice first, SQLite's words behind it for whoever looks them up. Returns -1. */
static int fail(const struct sqlite *s, struct error *error)
{
    const char *hint = advice(sqlite3_extended_errcode(s->db));
    if (!hint) return error_set(error, "store %s: %s", s->path, sqlite3_errmsg(s->db));
    return error_set(error, "store %s: %s (%s)", s->path, hint, sqlite3_errmsg(s->db));
}

/* Ends the use of a statement, and with it the read transaction it held: one left open would keep
 * the WAL from being checkpointed, and it would grow for ever. */
static void finish(sqlite3_stmt *statement)
{
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement); /* they pointed to what the caller lent */
}

/* Runs a statement that gives no rows. */
static int run(const struct sqlite *s, enum statement which, struct error *error)
{
    int rc = sqlite3_step(s->prepared[which]) == SQLITE_DONE ? 0 : fail(s, error);
    finish(s->prepared[which]);
    return rc;
}

/* Binds ?at without a copy: it must live until `finish`. No length can be too long for SQLite
 * within the bounds of store.h. */
static void bind_text(sqlite3_stmt *statement, int at, struct bytes text)
{
    sqlite3_bind_text(statement, at, text.p, (int)text.n, SQLITE_STATIC);
}

/* ?1 and ?2 are the names in every statement that has parameters. Returns the statement. */
static sqlite3_stmt *bind_names(const struct sqlite *s, enum statement which, struct bytes script,
                                struct bytes collection)
{
    bind_text(s->prepared[which], 1, script);
    bind_text(s->prepared[which], 2, collection);
    return s->prepared[which];
}

/* As a blob, although it is text: no conversion, and the length is that of bytes. Good until the
 * next step. */
static struct bytes column(sqlite3_stmt *statement, int at)
{
    const char *p = sqlite3_column_blob(statement, at);
    return (struct bytes){p, (size_t)sqlite3_column_bytes(statement, at)};
}

static int sqlite_get(struct store *store, struct bytes script, struct bytes collection,
                      struct bytes key, struct buf *value, bool *found_r, struct error *error)
{
    const struct sqlite *s = (struct sqlite *)store;
    sqlite3_stmt *get = bind_names(s, GET, script, collection);
    bind_text(get, 3, key);
    int code = sqlite3_step(get);
    *found_r = code == SQLITE_ROW;
    if (*found_r) buf_add(value, column(get, 0));
    int rc = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : fail(s, error);
    finish(get);
    return rc;
}

static int sqlite_list(struct store *store, struct bytes script, struct bytes collection,
                       struct bytes after, size_t limit, store_row_fn *row, void *arg,
                       struct error *error)
{
    const struct sqlite *s = (struct sqlite *)store;
    sqlite3_stmt *list = bind_names(s, LIST, script, collection);
    bind_text(list, 3, after);
    sqlite3_bind_int64(list, 4, (sqlite3_int64)limit);
    int code;
    bool stopped = false;
    while (!stopped && (code = sqlite3_step(list)) == SQLITE_ROW)
        stopped = row(arg, column(list, 0), column(list, 1)) != 0;
    int rc = stopped || code == SQLITE_DONE ? 0 : fail(s, error);
    finish(list);
    return rc;
}

static int sqlite_count(struct store *store, struct bytes script, struct bytes collection,
                        int64_t *count_r, struct error *error)
{
    const struct sqlite *s = (struct sqlite *)store;
    sqlite3_stmt *count = bind_names(s, COUNT, script, collection);
    int rc = 0;
    if (sqlite3_step(count) == SQLITE_ROW)
        *count_r = sqlite3_column_int64(count, 0);
    else
        rc = fail(s, error);
    finish(count);
    return rc;
}

static int sqlite_names(struct store *store, store_names_fn *names, void *arg, struct error *error)
{
    const struct sqlite *s = (struct sqlite *)store;
    sqlite3_stmt *list = s->prepared[NAMES];
    int code;
    bool stopped = false;
    while (!stopped && (code = sqlite3_step(list)) == SQLITE_ROW)
        stopped = names(arg, column(list, 0), column(list, 1)) != 0;
    int rc = stopped || code == SQLITE_DONE ? 0 : fail(s, error);
    finish(list);
    return rc;
}

/* Returns 0 if the row is as expected, STORE_CHANGED if not, or -1 with `error`. */
static int expect(const struct sqlite *s, const struct store_write *w, struct error *error)
{
    sqlite3_stmt *get = bind_names(s, GET, w->script, w->collection);
    bind_text(get, 3, w->key);
    int code = sqlite3_step(get);
    bool holds =
        code == SQLITE_ROW ? w->value.p && bytes_equal(column(get, 0), w->value) : !w->value.p;
    int rc = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : fail(s, error);
    finish(get);
    return rc == 0 && !holds ? STORE_CHANGED : rc;
}

static int write_one(const struct sqlite *s, const struct store_write *w, struct error *error)
{
    enum statement which = w->kind == STORE_PUT ? PUT : DELETE;
    bind_text(bind_names(s, which, w->script, w->collection), 3, w->key);
    if (which == PUT) bind_text(s->prepared[PUT], 4, w->value);
    return run(s, which, error);
}

/* Returns 0, STORE_CHANGED or -1, what was written until then included. */
static int write_all(const struct sqlite *s, const struct store_write *writes, size_t n,
                     struct error *error)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (writes[i].kind == STORE_EXPECT) rc = expect(s, &writes[i], error);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (writes[i].kind != STORE_EXPECT) rc = write_one(s, &writes[i], error);
    return rc;
}

/* One of several. A full disk and the like make SQLite roll all of them back by itself: then `end`
 * fails, and until then nothing may be written outside of the transaction. */
static int commit_together(const struct sqlite *s, const struct store_write *writes, size_t n,
                           struct error *error)
{
    if (sqlite3_get_autocommit(s->db))
        return error_set(error, "store %s: a commit before this one has failed", s->path);
    if (run(s, SAVE, error)) return -1;
    int rc = write_all(s, writes, n, error);
    if (sqlite3_get_autocommit(s->db)) return rc;
    bool ended = (rc == 0 || run(s, RETURN, NULL) == 0) && run(s, RELEASE, NULL) == 0;
    if (ended) return rc;
    run(s, ROLLBACK, NULL); /* of all: nobody knows what this one has left behind */
    return error_set(error, "store %s: a part of a transaction could not be ended", s->path);
}

/* The transaction takes the write lock at its start: one that had begun by reading could find, at
 * its first write, that another process was quicker, and waiting would not help it. */
static int sqlite_begin(struct store *store, struct error *error)
{
    struct sqlite *s = (struct sqlite *)store;
    s->together = run(s, BEGIN, error) == 0;
    return s->together ? 0 : -1;
}

static int sqlite_end(struct store *store, struct error *error)
{
    struct sqlite *s = (struct sqlite *)store;
    s->together = false;
    if (sqlite3_get_autocommit(s->db))
        return error_set(error, "store %s: one of several commits has failed", s->path);
    int rc = run(s, COMMIT, error);
    if (rc && !sqlite3_get_autocommit(s->db)) run(s, ROLLBACK, NULL);
    return rc;
}

static int sqlite_commit(struct store *store, const struct store_write *writes, size_t n,
                         struct error *error)
{
    const struct sqlite *s = (struct sqlite *)store;
    if (s->together) return commit_together(s, writes, n, error);
    if (run(s, BEGIN, error)) return -1;
    int rc = write_all(s, writes, n, error);
    if (rc == 0) rc = run(s, COMMIT, error);
    /* A full disk and the like make SQLite roll back by itself. */
    if (rc && !sqlite3_get_autocommit(s->db)) run(s, ROLLBACK, NULL);
    return rc;
}

static void sqlite_close(struct store *store)
{
    struct sqlite *s = (struct sqlite *)store;
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(s->prepared[i]);
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

static int execute(const struct sqlite *s, const char *sql, struct error *error)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(s, error);
}

/* What a database says about itself. */
struct identity {
    int application_id, version;
    bool empty; /* not a table in it: made a moment ago, by us or by another host */
};

/* In one statement, so that what it says is of one moment: another host may be making the
 * tables. */
static int identify(const struct sqlite *s, struct identity *id_r, struct error *error)
{
    static const char sql[] = "SELECT (SELECT application_id FROM pragma_application_id),"
                              " (SELECT user_version FROM pragma_user_version),"
                              " (SELECT count(*) FROM sqlite_master)";
    sqlite3_stmt *ask = NULL;
    int rc = -1;
    if (sqlite3_prepare_v2(s->db, sql, -1, &ask, NULL) == SQLITE_OK &&
        sqlite3_step(ask) == SQLITE_ROW) {
        *id_r = (struct identity){.application_id = sqlite3_column_int(ask, 0),
                                  .version = sqlite3_column_int(ask, 1),
                                  .empty = sqlite3_column_int(ask, 2) == 0};
        rc = 0;
    } else {
        fail(s, error);
    }
    sqlite3_finalize(ask);
    return rc;
}

/* Refuses what this version cannot read, and what is not ours to change. An empty file is an answer
 * of its own (*empty_r) for who may fill it; for a reader it is somebody else's. */
static int check_identity(const struct sqlite *s, bool *empty_r, struct error *error)
{
    struct identity id;
    if (identify(s, &id, error)) return -1;
    *empty_r = id.empty && !s->store.read_only;
    if (*empty_r) return 0;
    if (id.application_id != APPLICATION_ID)
        return error_set(error,
                         "store %s: this is not a store of lunask; name another file with "
                         "--store PATH",
                         s->path);
    if (id.version > SCHEMA_VERSION)
        return error_set(error,
                         "store %s: it was written by a newer lunask (its version is %d, this "
                         "program knows up to %d); use that one, or another file with --store PATH",
                         s->path, id.version, SCHEMA_VERSION);
    return 0;
}

/* Two hosts may start on a new file at the same time: the one that comes second finds the tables
 * when it has the lock. */
static int create_tables(const struct sqlite *s, struct error *error)
{
    bool empty;
    if (execute(s, "BEGIN IMMEDIATE", error)) return -1;
    int rc = check_identity(s, &empty, error);
    if (rc == 0 && empty) rc = execute(s, SCHEMA, error);
    if (rc == 0) rc = execute(s, "COMMIT", error);
    if (rc && !sqlite3_get_autocommit(s->db)) execute(s, "ROLLBACK", NULL);
    return rc;
}

/* SQLite does not fail where WAL is impossible, it answers with the mode that it kept. */
static int use_wal(const struct sqlite *s, struct error *error)
{
    sqlite3_stmt *set = NULL;
    int rc = -1;
    if (sqlite3_prepare_v2(s->db, "PRAGMA journal_mode = WAL", -1, &set, NULL) != SQLITE_OK ||
        sqlite3_step(set) != SQLITE_ROW)
        fail(s, error);
    else if (!bytes_equal(column(set, 0), BYTES("wal")))
        error_set(error,
                  "store %s: its file system cannot share memory between processes, which "
                  "SQLite's WAL mode needs; name a file on a local disk with --store PATH",
                  s->path);
    else
        rc = 0;
    sqlite3_finalize(set);
    return rc;
}

/* In this order: nothing is written to a file before it is known to be ours or empty. */
static int set_up(const struct sqlite *s, struct error *error)
{
    bool empty;
    if (check_identity(s, &empty, error)) return -1;
    if (s->store.read_only) return 0;
    if (sqlite3_db_readonly(s->db, "main"))
        return error_set(error,
                         "store %s: the file is read only; make it and its folder writable "
                         "for this user",
                         s->path);
    if (use_wal(s, error) || execute(s, "PRAGMA synchronous = FULL", error)) return -1;
    return empty ? create_tables(s, error) : 0;
}

static int prepare(struct sqlite *s, struct error *error)
{
    for (int i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v3(s->db, SQL[i], -1, SQLITE_PREPARE_PERSISTENT, &s->prepared[i],
                               NULL) != SQLITE_OK)
            return fail(s, error);
    return 0;
}

static int open_database(struct sqlite *s, struct error *error)
{
    /* SQLite gives names such as "file:x" and ":memory:" a meaning; "./" takes it away. */
    struct buf name = {0};
    buf_printf(&name, "%s%s", s->path[0] == '/' ? "" : "./", s->path);
    /* Never SQLITE_OPEN_CREATE: sqlite_file.c has made the file, with its own mode. NOMUTEX, as a
     * store is used by one thread at a time. */
    int flags = s->store.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    int code = sqlite3_open_v2(buf_text(&name), &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    buf_free(&name);
    if (code != SQLITE_OK) return fail(s, error);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    return 0;
}

struct store *store_sqlite_open(const char *path, bool read_only, struct error *error)
{
    static const struct store_ops ops = {.get = sqlite_get,
                                         .list = sqlite_list,
                                         .count = sqlite_count,
                                         .names = sqlite_names,
                                         .commit = sqlite_commit,
                                         .begin = sqlite_begin,
                                         .end = sqlite_end,
                                         .close = sqlite_close};
    if (sqlite_file_prepare(path, read_only, error)) return NULL;
    struct sqlite *s = mem_alloc(sizeof *s);
    s->store = (struct store){.ops = &ops, .blocking = true, .read_only = read_only};
    /* Closing is legal from here on, however far the next steps come. */
    s->path = mem_copy(bytes_of(path));
    if (open_database(s, error) || set_up(s, error) || prepare(s, error)) {
        sqlite_close(&s->store);
        return NULL;
    }
    return &s->store;
}
