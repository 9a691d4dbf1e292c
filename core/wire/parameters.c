#include "wire/parameters.h"

#include "wire/json_write.h"

/* A name can hold any byte, so each stands behind its length: "5:state". */
static bool is_there(const struct parameters *p, struct bytes name)
{
    struct bytes rest = buf_bytes(&p->names);
    while (rest.n) {
        size_t n = 0;
        for (; *rest.p != ':'; rest.p++, rest.n--)
            n = n * 10 + (size_t)(*rest.p - '0');
        if (bytes_equal(name, (struct bytes){rest.p + 1, n})) return true;
        rest = (struct bytes){rest.p + 1 + n, rest.n - 1 - n};
    }
    return false;
}

void parameters_add(struct parameters *p, struct bytes name, struct bytes value)
{
    struct buf member = {0};
    if (is_there(p, name)) return;
    json_write_string(&member, name);
    buf_addc(&member, ':');
    json_write_string(&member, value);
    if (p->n == PARAMETERS_MOST || p->json.n + member.n > PARAMETERS_BYTES) {
        p->over = true;
    } else {
        buf_printf(&p->names, "%zu:", name.n);
        buf_add(&p->names, name);
        if (p->n++) buf_addc(&p->json, ',');
        buf_add(&p->json, buf_bytes(&member));
    }
    buf_free(&member);
}

static int hex(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* A percent sign without two digits stands for itself (URL standard, "percent-decode"). NUL is left
 * as it was sent: no name has one. */
static void decode(struct bytes text, struct buf *out)
{
    for (size_t i = 0; i < text.n; i++) {
        bool coded = text.p[i] == '%' && text.n - i > 2 && hex(text.p[i + 1]) >= 0 &&
                     hex(text.p[i + 2]) >= 0;
        int byte = coded ? hex(text.p[i + 1]) * 16 + hex(text.p[i + 2]) : 0;
        if (coded && byte) {
            buf_addc(out, (char)byte);
            i += 2;
        } else {
            buf_addc(out, text.p[i] == '+' ? ' ' : text.p[i]);
        }
    }
}

void parameters_decode(struct parameters *p, struct bytes text)
{
    struct bytes pair, name;
    while (bytes_split(&text, '&', &pair)) {
        struct buf key = {0}, value = {0};
        if (pair.n == 0) continue;
        bytes_split(&pair, '=', &name);
        decode(name, &key);
        decode(pair, &value);
        parameters_add(p, buf_bytes(&key), buf_bytes(&value));
        buf_free(&key);
        buf_free(&value);
    }
}

void parameters_write(const struct parameters *p, struct buf *out)
{
    buf_addc(out, '{');
    buf_add(out, buf_bytes(&p->json));
    buf_addc(out, '}');
}

void parameters_free(struct parameters *p)
{
    buf_free(&p->names);
    buf_free(&p->json);
    *p = (struct parameters){0};
}
