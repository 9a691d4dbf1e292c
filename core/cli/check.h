/* lunask check [FOLDER] */
#ifndef LUNASK_CLI_CHECK_H
#define LUNASK_CLI_CHECK_H

int check_main(int argc, char **argv);

#endif
