/* Files in the folders that a script was granted: read, and never left.
 *
 * What stands below a granted folder is opened from that folder on, and no "..", absolute path or
 * link leads out of it, even one that is made while the path is being walked. The kernel sees to it
 * (openat2, Linux 5.6). An older one is walked folder by folder, and then links are not followed at
 * all, not even those that stay inside. Hard links can't be told from files. */
#ifndef LUNASK_CALL_FILE_H
#define LUNASK_CALL_FILE_H

#include "base/buf.h"
#include "base/error.h"

enum { FILE_MOST_BYTES = 1024 * 1024 };

/* Reads the regular file `path`, which begins with `folder` and a slash; both are relative to
 * `scripts`, the scripts folder. Adds its bytes to `out`; *found_r tells whether it is there. May
 * block, so it is called off the loop. Returns -1 with `error`, which is for the script's author.
 */
int file_read(const char *scripts, struct bytes folder, struct bytes path, struct buf *out,
              bool *found_r, struct error *error);

/* Opens `path` below the open folder, for reading. Returns a descriptor, or -1 with errno set.
 * file_walk is what file_open does where the kernel has no openat2. */
int file_open(int folder, const char *path);
int file_walk(int folder, const char *path);

#endif
