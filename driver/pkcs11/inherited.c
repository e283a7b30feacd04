/* SPDX-License-Identifier: Apache-2.0 */
/* Open files that a child has after a fork, too: it closes its copies. */
#define _POSIX_C_SOURCE 200809L
#include "inherited.h"

#include <sys/stat.h>
#include <unistd.h>

void inherited_note(struct inherited *noted, int file)
{
    struct stat status;
    *noted = (struct inherited){.file = file};
    if (file < 0 || fstat(file, &status) != 0) return;
    noted->device = status.st_dev;
    noted->inode = status.st_ino;
}

void inherited_close(struct inherited *noted)
{
    struct stat status;
    const int file = noted->file;
    noted->file = -1;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_dev == noted->device
        && status.st_ino == noted->inode)
        (void)close(file);
}
