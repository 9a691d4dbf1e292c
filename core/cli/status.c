#include "cli/status.h"

#include "base/clock.h"
#include "cli/flags.h"
#include "cli/status_words.h"
#include "host/config.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER_BYTES = 1024 * 1024, TIMEOUT_S = 5 };

static const char USAGE[] =
    "usage: lunask status [--listen HOST:PORT] [--config FILE] [--scripts DIR]\n\n"
    "Says how the host that runs on this machine is: since when, what it has loaded, what is "
    "open,\n"
    "what it has counted; and, before all else, why the newest scripts do not load.\n"
    "Ends with code 0 if all is well, with 1 if no host answers or its scripts do not load.\n\n"
    "  --listen HOST:PORT   where it listens (default: what the settings say)\n"
    "  --config FILE        the settings (default: host.lua in the scripts folder)\n"
    "  --scripts DIR        the scripts folder (default: scripts)\n\n"
    "The same is at http://HOST:PORT/status as JSON, and at /metrics for Prometheus.\n";

static size_t take(char *p, size_t size, size_t n, void *arg)
{
    struct buf *answer = arg;
    (void)size; /* always 1 */
    if (answer->n + n > ANSWER_BYTES) return 0;
    buf_add(answer, (struct bytes){p, n});
    return n;
}

/* Adds "http://127.0.0.1:3000". Who listens everywhere listens here. */
static void add_address(const struct settings *settings, struct buf *out)
{
    const char *host = settings->listen_host;
    if (strcmp(host, "0.0.0.0") == 0) host = "127.0.0.1";
    if (strcmp(host, "::") == 0) host = "::1";
    buf_printf(out, strchr(host, ':') ? "http://[%s]:%d" : "http://%s:%d", host,
               settings->listen_port);
}

/* Nothing of the environment has a say: no proxy, no .netrc. Returns the HTTP status, or -1. */
static long fetch(const char *url, struct buf *answer, struct error *error)
{
    CURL *curl = curl_easy_init();
    long status = -1;
    if (!curl) return error_set(error, "libcurl can't be used");
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)TIMEOUT_S);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    else if (code == CURLE_COULDNT_CONNECT)
        error_set(error,
                  "no host runs at %.*s; start one with lunask serve, or say where it is "
                  "with --listen or --config",
                  (int)(strrchr(url, '/') - url), url);
    else
        error_set(error, "%s gives no answer: %s", url, curl_easy_strerror(code));
    curl_easy_cleanup(curl);
    return status;
}

static int show(struct buf *answer, const char *address, struct error *error)
{
    struct buf words = {0};
    int result =
        status_words_write(buf_bytes(answer), address, clock_wall_ms() / 1000, &words, error);
    fwrite(words.p, 1, words.n, stdout);
    buf_free(&words);
    return result;
}

static int ask(const struct settings *settings, struct error *error)
{
    struct buf url = {0}, address = {0}, answer = {0};
    int result = -1;
    add_address(settings, &address);
    buf_printf(&url, "%s/status", buf_text(&address));
    long status = fetch(buf_text(&url), &answer, error);
    if (status == 200)
        result = show(&answer, buf_text(&address), error);
    else if (status == 403)
        error_set(error, "the host at %s does not tell: %.300s", buf_text(&address),
                  buf_text(&answer));
    else if (status > 0)
        error_set(error, "what answers at %s is no lunask, or one of another version",
                  buf_text(&address));
    buf_free(&url);
    buf_free(&address);
    buf_free(&answer);
    return result;
}

static int run(const struct config_flags *given, struct error *error)
{
    struct settings settings = {0};
    int result = config_read(given, &settings, error);
    if (result == 0 && settings.listen_port == 0)
        result = error_set(error, "the host takes any free port (port 0): say which one it has "
                                  "taken with --listen HOST:PORT");
    if (result == 0) result = ask(&settings, error);
    config_free(&settings);
    return result;
}

int status_main(int argc, char **argv)
{
    struct config_flags given = {0};
    const struct flag flags[] = {{"--listen", &given.listen, NULL},
                                 {"--config", &given.config, NULL},
                                 {"--scripts", &given.scripts, NULL},
                                 {NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    int result = flags_read(argc, argv, flags, NULL, 0, &help, &error);
    if (help) {
        fputs(USAGE, stdout);
        return 0;
    }
    if (result == 0) result = run(&given, &error);
    if (result >= 0) return result;
    fprintf(stderr, "lunask status: %s\n", error.text);
    return 1;
}
