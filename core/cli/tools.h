/* lunask tools [FOLDER] */
#ifndef LUNASK_CLI_TOOLS_H
#define LUNASK_CLI_TOOLS_H

int tools_main(int argc, char **argv);

#endif
