/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a UIO device, and its interrupt. */
#define _DEFAULT_SOURCE /* major, minor */
#include "totient/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "posix_internal.h"

enum { REGION = 4096, ASK_MS = 100, LONGEST_POLL_MS = 100, PAUSE_NS = 50000 };

/* Folder with a folder for each character device. A test has its own. */
#ifndef TOTIENT_CHARACTER_DEVICES
#define TOTIENT_CHARACTER_DEVICES "/sys/dev/char"
#endif

/* Whether the kernel states the size of a device's first region, as it does of UIO devices. */
static bool states_size(dev_t device, unsigned long long *size)
{
#ifdef __linux__
    char text[96];
    const int length = snprintf(text, sizeof text, TOTIENT_CHARACTER_DEVICES "/%u:%u/maps/map0/size",
                                major(device), minor(device));
    if (length < 0 || (size_t)length >= sizeof text) return false;
    const int file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t count = read(file, text, sizeof text - 1);
    (void)close(file);
    if (count <= 0) return false;
    text[count] = '\0';
    char *end = text;
    *size = strtoull(text, &end, 16);
    return end != text;
#else
    (void)device;
    (void)size;
    return false;
#endif
}

/* A byte beyond the end of a file can be mapped, but not read: that ends the program (SIGBUS).
   `is_uio`: what is written to the file enables an interrupt, and does not change the file. */
static bool long_enough(int file, bool *is_uio)
{
    struct stat status;
    *is_uio = false;
    if (fstat(file, &status) != 0) return false;
    unsigned long long size = REGION; /* where nothing states it, mmap decides */
    if (S_ISREG(status.st_mode)) size = (unsigned long long)status.st_size;
    else if (S_ISCHR(status.st_mode)) *is_uio = states_size(status.st_rdev, &size);
    if (S_ISCHR(status.st_mode) && !*is_uio) size = REGION;
    if (size >= REGION) return true;
    errno = ENXIO;
    return false;
}

totient_result totient_uio_open(struct totient_uio *uio, const char *path)
{
    if (uio == NULL || path == NULL) return TOTIENT_ARGUMENT;
    uio->registers = NULL;
    uio->size = 0;
    uio->timeout_ms = TOTIENT_DEFAULT_TIMEOUT_MS;
    uio->waiting = NULL;
    uio->user = NULL;
    uio->interrupts = false;
    uio->began = uio->asked = 0;
    uio->file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
    if (uio->file < 0) return TOTIENT_TRANSPORT;
    void *mapped = MAP_FAILED;
    if (long_enough(uio->file, &uio->interrupts) && locked(uio->file))
        mapped = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_SHARED, uio->file, 0);
    if (mapped == MAP_FAILED) {
        const int why = errno;
        totient_uio_close(uio);
        errno = why;
        return TOTIENT_TRANSPORT;
    }
    uio->registers = mapped;
    uio->size = REGION;
    return TOTIENT_OK;
}

void totient_uio_close(struct totient_uio *uio)
{
    if (uio == NULL) return;
    if (uio->registers != NULL) (void)munmap(uio->registers, uio->size);
    uio->registers = NULL;
    if (uio->file >= 0) (void)close(uio->file);
    uio->file = -1;
}


/* Waits for an interrupt, or for a while. Linux disables the interrupt when it has come: 1 enables it. */
static void wait_for_interrupt(struct totient_uio *uio, int64_t waited_ms, int left_ms)
{
    const uint32_t enable = 1;
    uint32_t count = 0;
    if (uio->interrupts && write(uio->file, &enable, sizeof enable) != (ssize_t)sizeof enable)
        uio->interrupts = false; /* the device tree names none */
    if (!uio->interrupts) {
        const struct timespec pause = {0, PAUSE_NS};
        (void)nanosleep(&pause, NULL);
        return;
    }
    /* The interrupt says that the last word has come. Words that do not fit the FIFO hold it back, so
       the status is read in between: often at first, when an operation may be short. */
    int64_t most = waited_ms / 8 + 1;
    if (most > LONGEST_POLL_MS) most = LONGEST_POLL_MS;
    struct pollfd watched = {.fd = uio->file, .events = POLLIN};
    const int outcome = poll(&watched, 1, most < left_ms ? (int)most : left_ms);
    if (outcome > 0 && (watched.revents & POLLIN) != 0
        && read(uio->file, &count, sizeof count) == (ssize_t)sizeof count)
        return;
    if (outcome > 0) uio->interrupts = false; /* a failure that poll states at once, each time */
}

totient_result totient_uio_wait(void *device, bool first)
{
    struct totient_uio *uio = device;
    if (uio == NULL) return TOTIENT_ARGUMENT;
    if (uio->file < 0) return TOTIENT_TRANSPORT;
    const int64_t now = now_ms();
    if (first) uio->began = now;
    const int rest = left(uio->timeout_ms, uio->began, now);
    if (rest == 0) return TOTIENT_TIMEOUT;
    if (uio->waiting != NULL && now - uio->asked >= ASK_MS) {
        uio->asked = now;
        if (!uio->waiting(uio->user)) return TOTIENT_TIMEOUT;
    }
    wait_for_interrupt(uio, now - uio->began, rest);
    return TOTIENT_OK;
}
