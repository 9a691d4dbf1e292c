/* lunask serve */
#ifndef LUNASK_CLI_SERVE_H
#define LUNASK_CLI_SERVE_H

int serve_main(int argc, char **argv);

#endif
