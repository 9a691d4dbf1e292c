/* lunask store list SCRIPT COLLECTION */
#ifndef LUNASK_CLI_STORE_H
#define LUNASK_CLI_STORE_H

int store_main(int argc, char **argv);

#endif
