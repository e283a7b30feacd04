/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Ways to a core on Linux and other POSIX systems: registers of a UIO device, and serial lines.
 *
 * Functions on one open device or line are for one thread at a time. After fork, one of both processes
 * uses it, and the other one closes its copy: they share the device or the line, and its lock.
 */
#ifndef TOTIENT_POSIX_H
#define TOTIENT_POSIX_H

#include "totient/totient.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Registers of a UIO device, which is locked: `registers` is the bus of totient_mapped_read and _write. */
struct totient_uio {
    int file;
    void *registers;
    size_t size;
};

/**
 * Maps the first 4096 bytes of a UIO device's first region, or of any file that can be mapped, and
 * locks it (flock) until it is closed.
 *
 * @param path for instance /dev/uio0.
 * @return TOTIENT_TRANSPORT if it cannot be mapped; errno says why, ENXIO that a regular file, or the
 *         region by the size that Linux states in sysfs, is shorter than 4096 bytes, EBUSY that it is
 *         in use by another program.
 */
TOTIENT_MUST_CHECK totient_result totient_uio_open(struct totient_uio *uio, const char *path);
void totient_uio_close(struct totient_uio *uio);

/**
 * A serial line, raw, 8 bits, no parity: the line of totient_tty_read, _write and _start_timer.
 *
 *     struct totient_serial serial = {.read = totient_tty_read, .write = totient_tty_write,
 *                                     .line = &tty, .start_timer = totient_tty_start_timer};
 */
struct totient_tty {
    int file;
    int timeout_ms; /**< Longest wait for a byte; negative: for ever. */
    /** Called at the first wait, then ten times a second while bytes are passed or waited for, if not
        NULL; false ends reading and writing with TOTIENT_TIMEOUT. Without it, a signal ends nothing.
        To be set after totient_tty_open. */
    bool (*waiting)(void *user);
    void *user;
    /* The library's own. */
    bool timed;
    int64_t started, asked;
};

/**
 * Opens a serial line, or a pseudo-terminal, and locks it (flock) until it is closed.
 *
 * @param path for instance /dev/ttyUSB0.
 * @param baud 9600 to 3000000, one of the usual rates; TOTIENT_ARGUMENT for another.
 * @param timeout_ms longest wait for a byte. Twice as long is the limit of the timer, for a whole
 *                   request, answer or reset. Negative: neither has a limit.
 * @return TOTIENT_TRANSPORT if it cannot be opened; errno says why, EBUSY that it is in use by
 *         another program.
 */
TOTIENT_MUST_CHECK totient_result totient_tty_open(struct totient_tty *tty, const char *path,
                                                   uint32_t baud, int timeout_ms);
void totient_tty_close(struct totient_tty *tty);
TOTIENT_MUST_CHECK totient_result totient_tty_read(void *line, uint8_t *byte);
TOTIENT_MUST_CHECK totient_result totient_tty_write(void *line, const uint8_t *bytes, size_t count);
void totient_tty_start_timer(void *line);

#ifdef __cplusplus
}
#endif

#endif
