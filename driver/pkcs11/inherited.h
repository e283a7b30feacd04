/* SPDX-License-Identifier: Apache-2.0 */
/* Open files that a child has after a fork, too. */
#ifndef TOTIENT_PKCS11_INHERITED_H
#define TOTIENT_PKCS11_INHERITED_H

#include <sys/types.h>

/* An open file, and which one it is. */
struct inherited {
    int file; /* -1: none */
    dev_t device;
    ino_t inode;
};

/* Notes an open file; one below 0 is none. */
void inherited_note(struct inherited *noted, int file);
/* In a child: closes its copy. If the child has closed that itself, the number may be another
   file's by now, which stays open. */
void inherited_close(struct inherited *noted);

#endif
