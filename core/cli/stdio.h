/* lunask stdio: one client, which starts this process and talks to it over its standard input and
 * output.
 *
 * One process, without a supervisor: what a crash takes with it (the legacy session, messages that
 * were read and not yet answered) another process could not make up for, and a client that waits
 * for ever is worse off than one that sees its server end and starts it again (2026-07-28
 * transports/stdio, "Unexpected Termination").
 *
 * It ends, with code 0 and after what runs, when the client closes either of the two, and on
 * SIGTERM and SIGINT; the second of those kills it at once. */
#ifndef LUNASK_CLI_STDIO_H
#define LUNASK_CLI_STDIO_H

int stdio_main(int argc, char **argv);

#endif
