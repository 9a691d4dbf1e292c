#include "wire/origin.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* An origin is under 300 bytes; the rest is room for the path of a list entry. The limit spares us
 * libcurl's work on whatever a header holds. Names and labels: RFC 1035, 2.3.4. */
enum { URL_MAX = 4096, NAME_MAX_BYTES = 253, LABEL_MAX_BYTES = 63, NO_PORT = -1 };

static const char DEFAULT_LIST[] = "http://localhost:3000,http://127.0.0.1:3000";

/* A list entry in its reduced form. */
struct entry {
    char *text;
    size_t n;
};

struct origin_list {
    size_t count;
    struct entry *entries;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* An underscore is no part of a host name (RFC 1123, 2.1), but browsers take it, and names within a
 * company have it. */
static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_';
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80) return false;
    return true;
}

/* Not tolower, which depends on the locale. */
static void lower(char *text)
{
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z') *text = (char)(*text - 'A' + 'a');
}

/* WHATWG URL, "ends in a number": such a host is an IPv4 address or nothing. */
static bool is_numeric(struct bytes label)
{
    bool hex = label.n >= 2 && label.p[0] == '0' && (label.p[1] == 'x' || label.p[1] == 'X');
    size_t i = hex ? 2 : 0;
    for (; i < label.n; i++)
        if (!is_digit(label.p[i]) && !(hex && strchr("abcdefABCDEF", label.p[i]))) return false;
    return true;
}

/* A DNS name that may end in a dot, or a dotted quad in its usual spelling. */
static bool is_name(const char *host)
{
    struct bytes rest = bytes_of(host), label, last = {NULL, 0};
    struct in_addr address;

    if (rest.n == 0 || rest.n > NAME_MAX_BYTES + 1) return false;
    while (bytes_split(&rest, '.', &label)) {
        if (label.n > LABEL_MAX_BYTES) return false;
        for (size_t i = 0; i < label.n; i++)
            if (!is_name_char(label.p[i])) return false;
        /* An empty label is legal only at the very end, behind the dot that closes a full name. */
        if (label.n > 0)
            last = label;
        else if (!last.p || label.p != host + strlen(host))
            return false;
    }
    return !is_numeric(last) || inet_pton(AF_INET, host, &address) == 1;
}

/* Adds the IPv6 address in brackets `host` in the spelling of RFC 5952 without its dotted form,
 * which is how browsers write it. */
static int add_ipv6(const char *host, struct buf *out)
{
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;
    char *inside = mem_copy((struct bytes){host + 1, strlen(host) - 2});
    int ok = inet_pton(AF_INET6, inside, &address);

    free(inside);
    if (ok != 1 || !inet_ntop(AF_INET6, &address, text, sizeof(text))) return -1;
    /* inet_ntop writes ::ffff:1.2.3.4 with dots; browsers write ::ffff:102:304. */
    if (strchr(text, '.')) {
        const uint8_t *b = address.s6_addr + 12;
        strrchr(text, ':')[1] = 0;
        buf_printf(out, "[%s%x:%x]", text, (unsigned)(b[0] << 8 | b[1]),
                   (unsigned)(b[2] << 8 | b[3]));
    } else {
        buf_printf(out, "[%s]", text);
    }
    return 0;
}

/* libcurl hands IDN hosts to libidn2 in the charset of the thread's locale, which in a daemon is
 * rarely UTF-8: it is for the length of this call, and for this thread alone (uselocale). Returns
 * owned (curl_free), or NULL: a libcurl without libidn2 allows no such names. */
static char *punycode(CURLU *url)
{
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before;
    char *host = NULL;

    if (!utf8) return NULL;
    before = uselocale(utf8);
    if (curl_url_get(url, CURLUPART_HOST, &host, CURLU_PUNYCODE)) {
        curl_free(host); /* libcurl 7.88 leaves the unconverted host there on failure */
        host = NULL;
    }
    uselocale(before);
    freelocale(utf8);
    return host;
}

/* What libcurl takes for a host is more than DNS and browsers do, so it is checked once more. */
static int add_host(CURLU *url, struct buf *out)
{
    char *host = NULL;
    int rc = -1;

    if (curl_url_get(url, CURLUPART_HOST, &host, 0)) return -1;
    if (!is_ascii(host)) {
        curl_free(host);
        host = punycode(url);
        if (!host) return -1;
    }
    lower(host);
    if (host[0] == '[') {
        rc = add_ipv6(host, out);
    } else if (is_name(host)) {
        buf_addz(out, host);
        rc = 0;
    }
    curl_free(host);
    return rc;
}

static int add_scheme(CURLU *url, struct buf *out)
{
    char *scheme = NULL;
    int rc = -1;

    if (curl_url_get(url, CURLUPART_SCHEME, &scheme, 0)) return -1;
    if (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0) {
        buf_addz(out, scheme);
        buf_addz(out, "://");
        rc = 0;
    }
    curl_free(scheme);
    return rc;
}

/* A default port is no part of an origin (RFC 6454, 6.2). */
static void add_port(CURLU *url, struct buf *out)
{
    char *port = NULL;

    if (curl_url_get(url, CURLUPART_PORT, &port, CURLU_NO_DEFAULT_PORT)) return;
    buf_addc(out, ':');
    buf_addz(out, port);
    curl_free(port);
}

/* Zones name an interface of one machine. Browsers refuse them; libcurl sets them aside. */
static bool has_zone(CURLU *url)
{
    char *zone = NULL;
    bool has = curl_url_get(url, CURLUPART_ZONEID, &zone, 0) == CURLUE_OK;

    curl_free(zone);
    return has;
}

int origin_reduce(struct bytes url, struct buf *out)
{
    size_t before = out->n;
    int rc = -1;
    char *text;
    CURLU *parts;

    /* A NUL would end the text for libcurl, and what is behind it would not be judged. */
    if (url.n == 0 || url.n > URL_MAX || memchr(url.p, 0, url.n)) return -1;
    text = mem_copy(url);
    parts = curl_url();
    if (parts && curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK && !has_zone(parts) &&
        add_scheme(parts, out) == 0 && add_host(parts, out) == 0) {
        add_port(parts, out);
        rc = 0;
    }
    if (rc) out->n = before;
    curl_url_cleanup(parts);
    free(text);
    return rc;
}

static bool on_list(const struct origin_list *list, struct bytes origin)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].n == origin.n &&
            memcmp(list->entries[i].text, origin.p, origin.n) == 0)
            return true;
    return false;
}

/* A browser's URL parser strips spaces and control characters; a list from a file ends in one. */
static struct bytes strip(struct bytes b)
{
    while (b.n > 0 && (unsigned char)b.p[0] <= ' ') {
        b.p++;
        b.n--;
    }
    while (b.n > 0 && (unsigned char)b.p[b.n - 1] <= ' ')
        b.n--;
    return b;
}

static void add_entry(struct origin_list *list, struct bytes url)
{
    struct buf origin = {0};
    struct entry *e;

    if (origin_reduce(url, &origin) == 0 && !on_list(list, buf_bytes(&origin))) {
        list->entries = mem_realloc(list->entries, (list->count + 1) * sizeof(*list->entries));
        e = &list->entries[list->count++];
        e->text = buf_take(&origin, &e->n);
    }
    buf_free(&origin);
}

struct origin_list *origin_list_new(const char *comma_separated)
{
    struct origin_list *list = mem_alloc(sizeof(*list));
    struct bytes rest = strip(bytes_of(comma_separated));
    struct bytes entry;

    if (rest.n == 0) rest = bytes_of(DEFAULT_LIST);
    while (bytes_split(&rest, ',', &entry))
        add_entry(list, strip(entry));
    return list;
}

void origin_list_free(struct origin_list *list)
{
    if (!list) return;
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].text);
    free(list->entries);
    free(list);
}

size_t origin_list_count(const struct origin_list *list)
{
    return list->count;
}

const char *origin_list_at(const struct origin_list *list, size_t i)
{
    return list->entries[i].text;
}

/* scheme://authority and nothing else: what a header may hold, where a list entry may hold more. */
static bool is_bare(struct bytes origin)
{
    const char *colon = origin.n > 0 ? memchr(origin.p, ':', origin.n) : NULL;
    struct bytes rest;

    if (!colon) return false;
    rest = (struct bytes){colon + 1, (size_t)(origin.p + origin.n - colon) - 1};
    if (!bytes_starts(rest, BYTES("//"))) return false;
    for (size_t i = 2; i < rest.n; i++)
        /* Beside what ends an authority: the comma of a list, the @ of userinfo, and the backslash,
         * which browsers take for a slash. */
        if ((unsigned char)rest.p[i] <= ' ' || strchr("/?#@\\,", rest.p[i])) return false;
    return rest.n > 2;
}

bool origin_allowed(const struct origin_list *list, struct bytes origin)
{
    struct buf reduced = {0};
    bool allowed;

    /* Browsers send the reduced form, so this is where nearly every call ends. */
    if (on_list(list, origin)) return true;
    allowed = is_bare(origin) && origin_reduce(origin, &reduced) == 0 &&
              on_list(list, buf_bytes(&reduced));
    buf_free(&reduced);
    return allowed;
}

/* host[:port], as a Host header and the operator's list have it (RFC 9110, 7.2). */
struct authority {
    struct bytes host; /* with the brackets of an IPv6 address */
    int port;          /* or NO_PORT */
};

/* Returns the length of the host at the front of `text`, 0 if there is none. */
static size_t host_length(struct bytes text)
{
    size_t i = 0;

    if (text.n > 0 && text.p[0] == '[') {
        for (i = 1;
             i < text.n && (text.p[i] == ':' || text.p[i] == '.' || is_name_char(text.p[i]));)
            i++;
        return i < text.n && text.p[i] == ']' ? i + 1 : 0;
    }
    while (i < text.n && (text.p[i] == '.' || is_name_char(text.p[i])))
        i++;
    return i;
}

/* Reads host[:port] with nothing before, between or behind. Five digits at most, so that the port
 * cannot overflow. */
static bool read_authority(struct bytes text, struct authority *a)
{
    size_t n = host_length(text);

    a->host = (struct bytes){text.p, n};
    a->port = NO_PORT;
    if (n == 0 || n == text.n) return n > 0;
    if (text.p[n] != ':' || text.n - n < 2 || text.n - n > 6) return false;
    a->port = 0;
    for (size_t i = n + 1; i < text.n; i++) {
        if (!is_digit(text.p[i])) return false;
        a->port = a->port * 10 + (text.p[i] - '0');
    }
    return a->port <= 65535;
}

/* Behind a proxy we cannot know which default port a Host without one means. */
static bool matches(struct authority us, struct authority asked)
{
    if (!bytes_equal_nocase(us.host, asked.host)) return false;
    if (us.port == NO_PORT || us.port == asked.port) return true;
    return asked.port == NO_PORT && (us.port == 80 || us.port == 443);
}

bool origin_host_allowed(struct bytes host, const char *const *names)
{
    static const char *const LOOPBACK[] = {"localhost", "127.0.0.1", "[::1]", NULL};
    struct authority asked, us;

    if (!read_authority(host, &asked)) return false;
    for (const char *const *name = LOOPBACK; *name; name++)
        if (bytes_equal_nocase(asked.host, bytes_of(*name))) return true;
    for (; names && *names; names++)
        if (read_authority(bytes_of(*names), &us) && matches(us, asked)) return true;
    return false;
}
