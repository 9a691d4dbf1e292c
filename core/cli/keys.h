/* `lunask keys new`: a fresh key for `state_keys`. */
#ifndef LUNASK_CLI_KEYS_H
#define LUNASK_CLI_KEYS_H

int keys_main(int argc, char **argv);

#endif
