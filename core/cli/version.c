#include "cli/version.h"

#include "cli/flags.h"
#include "script/engine.h"

#include <curl/curl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <uv.h>

int version_main(int argc, char **argv)
{
    static const struct flag none[] = {{NULL, NULL, NULL}};
    struct error error;
    bool help = false;
    if (flags_read(argc, argv, none, NULL, 0, &help, &error) != 0) {
        fprintf(stderr, "lunask version: %s\n", error.text);
        return 1;
    }
    if (help) {
        puts("usage: lunask version\n\nPrints the version of lunask and of what it runs on.");
        return 0;
    }
    /* Asked of the libraries: a report of a fault needs what runs, not what was built against. Lua
     * alone can't be asked. */
    printf("lunask %s\n%s, libuv %s, SQLite %s, libsodium %s, %s\n", LUNASK_VERSION,
           engine_version(), uv_version_string(), sqlite3_libversion(), sodium_version_string(),
           curl_version());
    return 0;
}
