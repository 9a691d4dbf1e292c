/* lunask status */
#ifndef LUNASK_CLI_STATUS_H
#define LUNASK_CLI_STATUS_H

int status_main(int argc, char **argv);

#endif
