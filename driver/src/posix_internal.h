/* SPDX-License-Identifier: Apache-2.0 */
/* What lines and registers of POSIX systems share: locks and time limits. */
#ifndef TOTIENT_POSIX_INTERNAL_H
#define TOTIENT_POSIX_INTERNAL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/file.h>
#include <time.h>

/* Two programs on one device would take each other's answers. The lock goes with the file, also when
   a program crashes; TIOCEXCL would stay on a pseudo-terminal, whose server keeps it open. */
static inline bool locked(int file)
{
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK) errno = EBUSY;
    return false;
}

static inline int64_t now_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Milliseconds until `limit_ms` after `since`, of a day at most; a negative limit: none. */
static inline int left(int64_t limit_ms, int64_t since, int64_t now)
{
    const int64_t day = 86400000, rest = limit_ms - (now - since);
    if (limit_ms < 0 || rest > day) return (int)day;
    return rest > 0 ? (int)rest : 0;
}

#endif
