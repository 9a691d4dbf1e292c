#include "schema/form.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/nearest.h"
#include "schema/schema.h"

#include <stdarg.h>
#include <stdio.h>

enum { LONGEST_NAME = 64 }; /* bytes of a name that an error shows */

/* Where in the form a fault is: "requestedSchema.properties.topic". */
struct place {
    const struct place *up;
    struct bytes name;
    struct error *error;
};

/* What a field can be, and the keywords that it takes then. */
struct kind {
    const char *type;
    const char *by;    /* the keyword that makes it this kind; NULL if the type alone does */
    const char *words; /* for an error: "has no place in … of a form" */
    const char *keywords[9];
};

/* The first that fits is the kind of a field, so a bare type comes after its special forms. To
 * allow a keyword: here, and in check_field if its value needs a look that the schema compiler does
 * not take. */
static const struct kind KINDS[] = {
    {"string",
     "enum",
     "an enum field",
     {"type", "title", "description", "default", "enum", "enumNames"}},
    {"string", "oneOf", "a oneOf field", {"type", "title", "description", "default", "oneOf"}},
    {"string",
     NULL,
     "a string field",
     {"type", "title", "description", "default", "minLength", "maxLength", "pattern", "format"}},
    {"number",
     NULL,
     "a number field",
     {"type", "title", "description", "default", "minimum", "maximum"}},
    {"integer",
     NULL,
     "an integer field",
     {"type", "title", "description", "default", "minimum", "maximum"}},
    {"boolean", NULL, "a boolean field", {"type", "title", "description", "default"}},
    {"array",
     NULL,
     "an array field",
     {"type", "title", "description", "default", "items", "minItems", "maxItems"}},
};

/* The length that a name is shown with: whole code points of it. */
static int shown(struct bytes name)
{
    if (name.n <= LONGEST_NAME) return (int)name.n;
    int n = LONGEST_NAME;
    while (n > 0 && ((unsigned char)name.p[n] & 0xC0) == 0x80)
        n--;
    return n;
}

static struct place inside(const struct place *up, struct bytes name)
{
    return (struct place){up, name, up->error};
}

static void add_path(struct buf *out, const struct place *at)
{
    if (at->up) {
        add_path(out, at->up);
        buf_addc(out, '.');
    }
    buf_add(out, (struct bytes){at->name.p, (size_t)shown(at->name)});
}

/* Reports "<path>: <fault>" and returns -1. */
static int fault(const struct place *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int fault(const struct place *at, const char *format, ...)
{
    struct error why;
    struct buf path = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(why.text, sizeof why.text, format, args);
    va_end(args);
    add_path(&path, at);
    error_set(at->error, "%s: %s", buf_text(&path), why.text);
    buf_free(&path);
    return -1;
}

static bool is_listed(struct bytes name, const char *const *names)
{
    for (; *names; names++)
        if (bytes_equal(name, bytes_of(*names))) return true;
    return false;
}

/* Refuses keys of `object` that are not among `known`; `what` says whose keywords those are. */
static int check_keys(const struct json *object, const char *const *known, const char *what,
                      const struct place *at)
{
    for (const struct json *key = json_first(object); key; key = json_next(object, key)) {
        char name[LONGEST_NAME + 1];
        if (is_listed(key->text, known)) continue;
        snprintf(name, sizeof name, "%.*s", shown(key->text), key->text.p);
        const char *near = nearest_name(name, known);
        if (near) return fault(at, "unknown keyword \"%s\" (did you mean \"%s\"?)", name, near);
        return fault(at, "keyword \"%s\" has no place in %s of a form", name, what);
    }
    return 0;
}

static int check_string(const struct json *object, const char *key, const struct place *at)
{
    const struct json *value = json_get(object, key);
    if (!value || json_is(value, JSON_STRING)) return 0;
    return fault(at, "%s must be a string", key);
}

/* Returns true if an element before `at` is the same string, or has the same one in `member`.
 * Compares with all of them: a person is to read the list, so it is short. */
static bool is_repeated(const struct json *array, const struct json *at, const char *member)
{
    struct bytes text = json_string(member ? json_get(at, member) : at);
    for (const struct json *e = json_first(array); e != at; e = json_next(array, e))
        if (bytes_equal(text, json_string(member ? json_get(e, member) : e))) return true;
    return false;
}

/* Checks the options of an enum: distinct strings, at least one. */
static int check_options(const struct json *options, const struct place *at)
{
    if (!json_is(options, JSON_ARRAY) || options->count == 0)
        return fault(at, "enum must be an array of at least one string");
    for (const struct json *e = json_first(options); e; e = json_next(options, e)) {
        if (!json_is(e, JSON_STRING)) return fault(at, "enum must hold strings only");
        if (is_repeated(options, e, NULL))
            return fault(at, "enum has \"%.*s\" twice", shown(e->text), e->text.p);
    }
    return 0;
}

/* Checks the options of a oneOf or anyOf (`keyword`): each a const and its title. */
static int check_titled(const struct json *options, const char *keyword, const struct place *at)
{
    static const char *const KNOWN[] = {"const", "title", NULL};
    if (!json_is(options, JSON_ARRAY) || options->count == 0)
        return fault(at, "%s must be an array of at least one {const, title}", keyword);
    for (const struct json *e = json_first(options); e; e = json_next(options, e)) {
        const struct json *value = json_get(e, "const");
        if (!json_is(value, JSON_STRING) || !json_is(json_get(e, "title"), JSON_STRING))
            return fault(at, "%s: every option needs a const and a title, both strings", keyword);
        if (check_keys(e, KNOWN, "an option", at) < 0) return -1;
        if (is_repeated(options, e, "const"))
            return fault(at, "%s has \"%.*s\" twice", keyword, shown(value->text), value->text.p);
    }
    return 0;
}

/* enumNames is not of JSON Schema: MCP has it from before oneOf (LegacyTitledEnumSchema). */
static int check_enum_names(const struct json *field, const struct place *at)
{
    const struct json *names = json_get(field, "enumNames"), *options = json_get(field, "enum");
    if (!names) return 0;
    if (!json_is(names, JSON_ARRAY) || names->count != options->count)
        return fault(at, "enumNames must be an array as long as enum (%u)",
                     (unsigned)options->count);
    for (const struct json *e = json_first(names); e; e = json_next(names, e))
        if (!json_is(e, JSON_STRING)) return fault(at, "enumNames must hold strings only");
    return 0;
}

/* Checks the items of a multi-select, and that it doesn't ask for more than there are. */
static int check_items(const struct json *field, const struct place *up)
{
    static const char *const KNOWN[] = {"type", "enum", NULL};
    static const char *const KNOWN_TITLED[] = {"anyOf", NULL};
    const struct json *items = json_get(field, "items");
    struct place at = inside(up, BYTES("items"));
    if (!json_is(items, JSON_OBJECT))
        return fault(up, "an array needs items with an enum, or anyOf of {const, title}");
    const struct json *options = json_get(items, "anyOf");
    if (options) {
        if (check_keys(items, KNOWN_TITLED, "items with anyOf", &at) < 0) return -1;
        if (check_titled(options, "anyOf", &at) < 0) return -1;
    } else {
        options = json_get(items, "enum");
        if (!options) return fault(&at, "must have an enum, or anyOf of {const, title}");
        if (check_keys(items, KNOWN, "items", &at) < 0) return -1;
        if (!bytes_equal(json_string(json_get(items, "type")), BYTES("string")))
            return fault(&at, "type must be \"string\"");
        if (check_options(options, &at) < 0) return -1;
    }
    int64_t least;
    if (json_int(json_get(field, "minItems"), &least) && least > (int64_t)options->count)
        return fault(up, "minItems is more than there are options (%u)", (unsigned)options->count);
    return 0;
}

/* Clients draw an input of its own for each of these, and know no others. */
static int check_format(const struct json *field, const struct place *at)
{
    static const char *const KNOWN[] = {"email", "uri", "date", "date-time", NULL};
    const struct json *format = json_get(field, "format");
    if (!format || is_listed(json_string(format), KNOWN)) return 0;
    return fault(at, "format must be \"email\", \"uri\", \"date\" or \"date-time\"");
}

/* A field that no one can fill in would ask a person again and again. */
static int check_bounds(const struct json *field, const struct place *at)
{
    static const char *const PAIRS[][2] = {
        {"minLength", "maxLength"}, {"minimum", "maximum"}, {"minItems", "maxItems"}};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        double least, most;
        if (json_double(json_get(field, PAIRS[i][0]), &least) &&
            json_double(json_get(field, PAIRS[i][1]), &most) && least > most)
            return fault(at, "%s is above %s, so no answer fits", PAIRS[i][0], PAIRS[i][1]);
    }
    return 0;
}

/* A field that nothing bounds, with a default of its type, needs no compiler: most are such, and
 * every question is checked. */
static bool is_plain(const struct json *field)
{
    static const char *const OTHERS[] = {"enum",    "oneOf",    "minLength", "maxLength",
                                         "pattern", "format",   "minimum",   "maximum",
                                         "items",   "minItems", "maxItems"};
    const struct json *preset = json_get(field, "default");
    struct bytes type = json_string(json_get(field, "type"));
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (json_get(field, OTHERS[i])) return false;
    if (!preset) return true;
    if (bytes_equal(type, BYTES("string"))) return json_is(preset, JSON_STRING);
    if (bytes_equal(type, BYTES("number"))) return json_is(preset, JSON_NUMBER);
    return bytes_equal(type, BYTES("boolean")) &&
           (json_is(preset, JSON_TRUE) || json_is(preset, JSON_FALSE));
}

/* Lets the schema compiler see the values of the keywords, and the field judge its own default. */
static int check_values(const struct json *field, const struct place *at)
{
    struct error why;
    if (is_plain(field)) return 0;
    struct schema *s = schema_compile(field, SCHEMA_ASSERT_FORMAT, NULL, &why);
    if (!s)
        return fault(at, "%s",
                     why.text + (why.text[0] == '/')); /* "/minLength: …" without its slash */
    const struct json *preset = json_get(field, "default");
    struct buf reasons = {0};
    int rc = 0;
    if (preset && !schema_valid(s, preset, "default", &reasons))
        rc = fault(at, "%s", buf_text(&reasons));
    buf_free(&reasons);
    schema_free(s);
    return rc;
}

static const struct kind *kind_of(const struct json *field)
{
    struct bytes type = json_string(json_get(field, "type"));
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (bytes_equal(type, bytes_of(KINDS[i].type)) &&
            (!KINDS[i].by || json_get(field, KINDS[i].by)))
            return &KINDS[i];
    return NULL;
}

/* Says why a field is of no kind that a form can ask. */
static int fault_kind(const struct json *field, const struct place *at)
{
    static const char ALLOWED[] =
        "a form is flat: string, number, integer, boolean, or an array of an enum";
    const struct json *type = json_get(field, "type");
    if (!type) return fault(at, "type is missing; %s", ALLOWED);
    if (!json_is(type, JSON_STRING)) return fault(at, "type must be one name; %s", ALLOWED);
    return fault(at, "type \"%.*s\" can't be asked; %s", shown(type->text), type->text.p, ALLOWED);
}

static int check_field(const struct json *field, const struct place *at)
{
    if (!json_is(field, JSON_OBJECT)) return fault(at, "must be an object, the schema of a field");
    const struct kind *kind = kind_of(field);
    if (!kind) return fault_kind(field, at);
    if (check_keys(field, kind->keywords, kind->words, at) < 0) return -1;
    if (check_string(field, "title", at) < 0 || check_string(field, "description", at) < 0)
        return -1;
    const struct json *options = json_get(field, "enum"), *titled = json_get(field, "oneOf");
    if (options && check_options(options, at) < 0) return -1;
    if (options && check_enum_names(field, at) < 0) return -1;
    if (titled && check_titled(titled, "oneOf", at) < 0) return -1;
    if (bytes_equal(bytes_of(kind->type), BYTES("array")) && check_items(field, at) < 0) return -1;
    if (check_format(field, at) < 0 || check_bounds(field, at) < 0) return -1;
    return check_values(field, at);
}

/* Says that `name` is required but not asked for. */
static int fault_required(const struct json *properties, struct bytes name, const struct place *at)
{
    struct arena arena = {0};
    const char **names = arena_zalloc(&arena, (properties->count + 1) * sizeof *names),
               **to = names;
    for (const struct json *key = json_first(properties); key; key = json_next(properties, key))
        *to++ = arena_copy(&arena, key->text).p;
    const char *near = nearest_name(arena_copy(&arena, name).p, names);
    fault(at, "\"%.*s\" isn't among the properties%s%s%s", shown(name), name.p,
          near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    arena_free(&arena);
    return -1;
}

static int check_required(const struct json *schema, const struct place *up)
{
    const struct json *required = json_get(schema, "required");
    const struct json *properties = json_get(schema, "properties");
    struct place at = inside(up, BYTES("required"));
    if (!required) return 0;
    if (!json_is(required, JSON_ARRAY)) return fault(&at, "must be an array of property names");
    for (const struct json *e = json_first(required); e; e = json_next(required, e)) {
        if (!json_is(e, JSON_STRING)) return fault(&at, "must hold strings only");
        if (!json_get_bytes(properties, e->text)) return fault_required(properties, e->text, &at);
    }
    return 0;
}

int form_check(const struct json *schema, struct error *error)
{
    static const char *const KNOWN[] = {"$schema", "type", "properties", "required", NULL};
    struct place at = {.name = BYTES("requestedSchema"), .error = error};
    if (!json_is(schema, JSON_OBJECT)) return fault(&at, "must be an object");
    if (!bytes_equal(json_string(json_get(schema, "type")), BYTES("object")))
        return fault(&at, "type must be \"object\"");
    if (check_keys(schema, KNOWN, "the top", &at) < 0) return -1;
    if (check_string(schema, "$schema", &at) < 0) return -1;
    const struct json *properties = json_get(schema, "properties");
    struct place below = inside(&at, BYTES("properties"));
    if (!json_is(properties, JSON_OBJECT))
        return fault(&at, "properties must be an object, one field a member");
    for (const struct json *key = json_first(properties); key; key = json_next(properties, key)) {
        struct place field = inside(&below, key->text);
        if (check_field(json_value(key), &field) < 0) return -1;
    }
    return check_required(schema, &at);
}
