#include "script/grants_http.h"

#include "base/mem.h"
#include "wire/origin.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL BYTES("local ")
#define HTTP  BYTES("http://")
#define HTTPS BYTES("https://")

static struct bytes skip(struct bytes text, size_t n)
{
    return (struct bytes){text.p + n, text.n - n};
}

/* Cuts `prefix` off the front of *text if it is there. */
static bool take(struct bytes *text, struct bytes prefix)
{
    if (!bytes_starts(*text, prefix)) return false;
    *text = skip(*text, prefix.n);
    return true;
}

/* Returns the host of an origin, without its port; an IPv6 address keeps its brackets. */
static struct bytes host_of(struct bytes origin)
{
    if (!take(&origin, HTTPS)) take(&origin, HTTP);
    const char *from = origin.n ? memrchr(origin.p, ']', origin.n) : NULL;
    if (!from) from = origin.p;
    const char *colon = origin.n ? memchr(from, ':', (size_t)(origin.p + origin.n - from)) : NULL;
    if (colon) origin.n = (size_t)(colon - origin.p);
    return origin;
}

static bool is_address(struct bytes host)
{
    struct in_addr address;
    char *text = mem_copy(host);
    bool v4 = inet_pton(AF_INET, text, &address) == 1;
    free(text);
    return v4 || bytes_starts(host, BYTES("["));
}

/* What may stand in host[:port], so that nothing but that is handed to the parser of URLs. */
static bool is_authority(struct bytes text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] <= ' ' || (unsigned char)text.p[i] >= 0x7F ||
            strchr("/?#@\\*%", text.p[i]))
            return false;
    return text.n > 0;
}

/* Adds the reduced origin with the "*." put in again. */
static int add_site(struct bytes scheme, bool below, struct bytes authority, struct buf *out)
{
    struct buf url = {0}, origin = {0};
    buf_add(&url, scheme);
    buf_add(&url, authority);
    int result = is_authority(authority) ? origin_reduce(buf_bytes(&url), &origin) : -1;
    struct bytes host = host_of(buf_bytes(&origin));
    /* Below an address there is nothing, and below "com" there is everything. */
    if (result == 0 && below && (is_address(host) || !memchr(host.p, '.', host.n))) result = -1;
    if (result == 0) {
        buf_add(out, scheme);
        if (below) buf_addz(out, "*.");
        buf_add(out, skip(buf_bytes(&origin), scheme.n));
    }
    buf_free(&url);
    buf_free(&origin);
    return result;
}

int grants_http_read(struct bytes text, struct buf *out, struct error *error)
{
    struct bytes rest = text;
    bool local = take(&rest, LOCAL);
    struct bytes scheme = take(&rest, HTTP) ? HTTP : HTTPS;
    if (scheme.n == HTTPS.n) take(&rest, HTTPS);
    bool below = take(&rest, BYTES("*."));
    size_t before = out->n;
    if (local) buf_add(out, LOCAL);
    if (add_site(scheme, below, rest, out) == 0) return 0;
    out->n = before;
    return error_set(error,
                     "'%.*s' is no server: write it as \"api.example.com\", \"*.example.com\", "
                     "\"http://10.0.0.5:8080\" or \"local wiki.corp\"",
                     BYTES_ARG(text));
}

static bool is_plain(struct bytes url)
{
    for (size_t i = 0; i < url.n; i++)
        if ((unsigned char)url.p[i] <= ' ' || (unsigned char)url.p[i] >= 0x7F) return false;
    return url.n > 0;
}

static bool has_userinfo(struct bytes url)
{
    char *text = mem_copy(url);
    CURLU *parts = curl_url();
    bool has = !parts || curl_url_set(parts, CURLUPART_URL, text, CURLU_DISALLOW_USER) != CURLUE_OK;
    curl_url_cleanup(parts);
    free(text);
    return has;
}

int grants_http_origin(struct bytes url, const char *what, struct buf *out, struct error *error)
{
    if (!is_plain(url))
        return error_set(error,
                         "%s: a URL is written in ASCII without spaces: what is beyond that is "
                         "percent-encoded, and punycode in the host",
                         what);
    if (has_userinfo(url) || origin_reduce(url, out) != 0)
        return error_set(error,
                         "%s: a URL begins with https:// and a host, and has no user and no "
                         "password in it",
                         what);
    return 0;
}

bool grants_http_covers(struct bytes grant, struct bytes origin)
{
    take(&grant, LOCAL);
    struct bytes scheme = bytes_starts(grant, HTTPS) ? HTTPS : HTTP;
    struct bytes below = skip(grant, scheme.n);
    if (!take(&below, BYTES("*"))) return bytes_equal(grant, origin);
    if (!bytes_starts(origin, scheme)) return false;
    struct bytes host = skip(origin, scheme.n);
    return host.n > below.n && bytes_equal(skip(host, host.n - below.n), below);
}

bool grants_http_any_address(struct bytes grant)
{
    return take(&grant, LOCAL) || is_address(host_of(grant));
}
