/* lunask version */
#ifndef LUNASK_CLI_VERSION_H
#define LUNASK_CLI_VERSION_H

int version_main(int argc, char **argv);

#endif
