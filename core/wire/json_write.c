#include "wire/json_write.h"

#include "wire/json_keys.h"
#include "wire/json_number.h"
#include "wire/json_string.h"
#include "wire/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_escape(struct buf *out, uint32_t code)
{
    static const char letters[] = "\"\\bfnrt";
    static const char meanings[] = "\"\\\b\f\n\r\t";
    /* strchr would find a NUL at the end of the list, hence the first condition. */
    const char *short_form = code && code < 0x80 ? strchr(meanings, (int)code) : NULL;
    if (short_form) {
        buf_addc(out, '\\');
        buf_addc(out, letters[short_form - meanings]);
    } else {
        buf_printf(out, "\\u%04x", (unsigned)code);
    }
}

/* Writes the character at the front of *rest, which is not plain. */
static void write_special(struct buf *out, struct bytes *rest)
{
    struct bytes before = *rest;
    uint32_t code;
    if (!utf8_next(rest, &code)) {
        buf_addz(out, "\xef\xbf\xbd"); /* U+FFFD */
        rest->p++;
        rest->n--;
    } else if (code < 0x80 || code == 0x2028 || code == 0x2029) {
        write_escape(out, code);
    } else {
        buf_add(out, (struct bytes){before.p, before.n - rest->n});
    }
}

/* Moves the plain run at the front of *text to `out`, which has room for it. */
static void move_plain(struct buf *out, struct bytes *text)
{
    size_t run = json_string_plain(*text);
    memcpy(out->p + out->n, text->p, run);
    out->n += run;
    text->p += run;
    text->n -= run;
}

void json_write_string(struct buf *out, struct bytes text)
{
    /* Room for all of it if nothing needs an escape, which is nearly always. */
    *buf_reserve(out, text.n + 2) = '"';
    out->n++;
    while (text.n > 0) {
        move_plain(out, &text);
        if (text.n == 0) break;
        write_special(out, &text);
        buf_reserve(out, text.n + 1);
    }
    buf_addc(out, '"');
}

int json_write_double(struct buf *out, double value)
{
    char text[32];
    if (!isfinite(value)) return -1;
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value) break;
    }
    buf_addz(out, text);
    if (!strpbrk(text, ".e")) buf_addz(out, ".0");
    return 0;
}

/* Recurses: as deep as a tape can be, JSON_DEPTH_MAX. */
static void write_any(struct buf *out, const struct json *v, bool canonical);

static void write_member(struct buf *out, const struct json *key, bool canonical)
{
    json_write_string(out, key->text);
    buf_addc(out, ':');
    write_any(out, json_value(key), canonical);
}

static void write_members(struct buf *out, const struct json *object)
{
    for (const struct json *key = json_first(object); key; key = json_next(object, key)) {
        if (key != object + 1) buf_addc(out, ',');
        write_member(out, key, false);
    }
}

static void write_sorted_members(struct buf *out, const struct json *object)
{
    struct json_keys keys;
    json_keys_sort(&keys, object);
    for (uint32_t i = 0; i < keys.count; i++) {
        if (i > 0) buf_addc(out, ',');
        write_member(out, keys.at[i], true);
    }
    json_keys_free(&keys);
}

static void write_elements(struct buf *out, const struct json *array, bool canonical)
{
    for (const struct json *e = json_first(array); e; e = json_next(array, e)) {
        if (e != array + 1) buf_addc(out, ',');
        write_any(out, e, canonical);
    }
}

static void write_number(struct buf *out, const struct json *v, bool canonical)
{
    if (canonical) {
        struct json_number n = json_number_read(v->text);
        json_number_write(out, &n);
    } else {
        buf_add(out, v->text);
    }
}

static void write_any(struct buf *out, const struct json *v, bool canonical)
{
    switch (v->type) {
    case JSON_NUMBER:
        write_number(out, v, canonical);
        break;
    case JSON_STRING:
        json_write_string(out, v->text);
        break;
    case JSON_ARRAY:
        buf_addc(out, '[');
        write_elements(out, v, canonical);
        buf_addc(out, ']');
        break;
    case JSON_OBJECT:
        buf_addc(out, '{');
        if (canonical)
            write_sorted_members(out, v);
        else
            write_members(out, v);
        buf_addc(out, '}');
        break;
    default:
        buf_add(out, v->raw); /* null, false, true */
    }
}

void json_write_value(struct buf *out, const struct json *v)
{
    write_any(out, v, false);
}

void json_write_canonical(struct buf *out, const struct json *v)
{
    write_any(out, v, true);
}
