/* The functions of `table` that loop in C, where no hook stops them: the original ones, behind a
 * look at how far they would go. */
#ifndef LUNASK_SCRIPT_STDLIB_TABLE_H
#define LUNASK_SCRIPT_STDLIB_TABLE_H

#include <lua.h>

/* Replaces the functions in question in the table on the top, which holds the original ones.
 * [-0, +0, memory error] */
void stdlib_table_bound(lua_State *L);

#endif
