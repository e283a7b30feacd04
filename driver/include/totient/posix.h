/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Ways to a core on Linux and other POSIX systems: registers of a UIO device, serial lines, and sockets.
 *
 * `errno` is that of the calling thread. After fork, one of both processes uses a line or a device, and the
 * other one closes its copy: they share the device or the line, and its lock.
 */
#ifndef TOTIENT_POSIX_H
#define TOTIENT_POSIX_H

#include "totient/totient.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Time limit of a line or a UIO device where no other one is set. */
#define TOTIENT_DEFAULT_TIMEOUT_MS 60000

/**
 * Registers of a UIO device, which is locked: `registers` is the bus of totient_mapped_read and _write,
 * and the device itself is the waiter of totient_uio_wait.
 *
 *     struct totient_registers registers = {.read = totient_mapped_read, .write = totient_mapped_write,
 *                                           .bus = uio.registers,
 *                                           .wait = totient_uio_wait, .waiter = &uio};
 */
struct totient_uio {
    int file;
    void *registers;
    size_t size;
    int timeout_ms; /**< Longest wait for a response; negative: for ever. totient_uio_open sets
                         TOTIENT_DEFAULT_TIMEOUT_MS. */
    /** Called ten times a second while a response is waited for, if not NULL; false ends the wait with
        TOTIENT_TIMEOUT. To be set after totient_uio_open. */
    bool (*waiting)(void *user);
    void *user;
    /* The library's own. */
    bool interrupts;
    int64_t began, asked;
};

/**
 * Maps the first 4096 bytes of a UIO device's first region, or of any file that can be mapped, and
 * locks it (flock) until it is closed.
 *
 * @param path for instance /dev/uio0.
 * @return TOTIENT_TRANSPORT if it cannot be mapped; errno says why, ENXIO that a regular file, or the
 *         region by the size that Linux states in sysfs, is shorter than 4096 bytes, EBUSY that it is
 *         in use by another program.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_uio_open(struct totient_uio *uio, const char *path);

/**
 * Unmaps and closes a UIO device; one that is not open stays as it is.
 *
 * @threads one
 * @fork close
 */
void totient_uio_close(struct totient_uio *uio);

/**
 * Waits for the interrupt of a UIO device, or some time: `wait` of struct totient_registers. Where the
 * device has no interrupt it pauses 50 microseconds.
 *
 * A response that is longer than the core's FIFO raises the interrupt when its first words have been read.
 * The wait therefore ends after a millisecond, and later after an eighth of the time waited, 100 ms at
 * most. A response FIFO of 256 words holds every response.
 *
 * @param device the struct totient_uio.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_uio_wait(void *device, bool first);

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
    bool timed, socket;
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
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_tty_open(struct totient_tty *tty, const char *path,
                                                   uint32_t baud, int timeout_ms);

/**
 * Connects to a stream socket that passes the bytes of a serial line (`totient serve` with a socket). The
 * functions of a serial line work on it.
 *
 * @param path of the socket, of at most 107 bytes; TOTIENT_ARGUMENT for a longer one.
 * @param timeout_ms as for totient_tty_open; the connection itself has this limit, too.
 * @return TOTIENT_TRANSPORT if it cannot be connected; errno says why.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_unix_open(struct totient_tty *tty, const char *path,
                                                    int timeout_ms);

/**
 * Closes a line or a socket; one that is not open stays as it is.
 *
 * @threads one
 * @fork close
 */
void totient_tty_close(struct totient_tty *tty);

/**
 * Takes a byte: `read` of struct totient_serial.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_tty_read(void *line, uint8_t *byte);

/**
 * Sends bytes: `write` of struct totient_serial.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_tty_write(void *line, const uint8_t *bytes, size_t count);

/**
 * Starts the timer of a request or an answer: `start_timer` of struct totient_serial.
 *
 * @threads one
 * @fork one
 */
void totient_tty_start_timer(void *line);

#ifdef __cplusplus
}
#endif

#endif
