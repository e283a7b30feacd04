/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a UIO device, and serial lines. */
#define _DEFAULT_SOURCE /* baud rates above 38,400 */
#include "totient/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

enum { REGION = 4096, WRITE_MS = 10000, ASK_MS = 100 };

/* Two programs on one device would take each other's answers. The lock goes with the file, also when
   a program crashes; TIOCEXCL would stay on a pseudo-terminal, whose server keeps it open. */
static bool locked(int file)
{
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK) errno = EBUSY;
    return false;
}

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

/* A byte beyond the end of a file can be mapped, but not read: that ends the program (SIGBUS). */
static bool long_enough(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0) return false;
    unsigned long long size = REGION; /* where nothing states it, mmap decides */
    if (S_ISREG(status.st_mode)) size = (unsigned long long)status.st_size;
    else if (S_ISCHR(status.st_mode) && !states_size(status.st_rdev, &size)) size = REGION;
    if (size >= REGION) return true;
    errno = ENXIO;
    return false;
}

totient_result totient_uio_open(struct totient_uio *uio, const char *path)
{
    if (uio == NULL || path == NULL) return TOTIENT_ARGUMENT;
    uio->registers = NULL;
    uio->size = 0;
    uio->file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
    if (uio->file < 0) return TOTIENT_TRANSPORT;
    void *mapped = MAP_FAILED;
    if (long_enough(uio->file) && locked(uio->file))
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

static bool speed_of(uint32_t baud, speed_t *speed)
{
    static const struct {
        uint32_t baud;
        speed_t speed;
    } known[] = {
        {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
        {115200, B115200},   {230400, B230400},
#ifdef B460800
        {460800, B460800},   {921600, B921600},   {1000000, B1000000}, {2000000, B2000000},
        {3000000, B3000000},
#endif
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].baud != baud) continue;
        *speed = known[i].speed;
        return true;
    }
    return false;
}

totient_result totient_tty_open(struct totient_tty *tty, const char *path, uint32_t baud,
                                int timeout_ms)
{
    speed_t speed;
    if (tty == NULL || path == NULL) return TOTIENT_ARGUMENT;
    tty->file = -1;
    tty->timeout_ms = timeout_ms;
    tty->waiting = NULL;
    tty->user = NULL;
    tty->timed = false;
    tty->started = tty->asked = 0;
    if (!speed_of(baud, &speed)) return TOTIENT_ARGUMENT;
    /* A write that does not fit would otherwise wait, without a limit and through signals. */
    tty->file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    struct termios settings;
    if (tty->file < 0) return TOTIENT_TRANSPORT;
    bool well = tcgetattr(tty->file, &settings) == 0 && locked(tty->file);
    if (well) {
        settings.c_iflag = 0;
        settings.c_oflag = 0;
        settings.c_lflag = 0;
        settings.c_cflag = CS8 | CREAD | CLOCAL;
        settings.c_cc[VMIN] = 1;
        settings.c_cc[VTIME] = 0;
        well = cfsetispeed(&settings, speed) == 0 && cfsetospeed(&settings, speed) == 0
               && tcsetattr(tty->file, TCSANOW, &settings) == 0;
    }
    if (well) return TOTIENT_OK;
    const int why = errno;
    totient_tty_close(tty);
    errno = why;
    return TOTIENT_TRANSPORT;
}

void totient_tty_close(struct totient_tty *tty)
{
    if (tty == NULL) return;
    if (tty->file >= 0) (void)close(tty->file);
    tty->file = -1;
}

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void totient_tty_start_timer(void *line)
{
    struct totient_tty *tty = line;
    if (tty == NULL) return;
    tty->started = now_ms();
    tty->timed = true;
}

/* Milliseconds until `limit_ms` after `since`, of a day at most; a negative limit: none. */
static int left(int64_t limit_ms, int64_t since, int64_t now)
{
    const int64_t day = 86400000, rest = limit_ms - (now - since);
    if (limit_ms < 0 || rest > day) return (int)day;
    return rest > 0 ? (int)rest : 0;
}

/* Whether the caller lets the line wait on. */
static bool asked(struct totient_tty *tty, int64_t now)
{
    if (tty->waiting == NULL || now - tty->asked < ASK_MS) return true;
    tty->asked = now;
    return tty->waiting(tty->user);
}

/* Waits until the line is ready. The timer is looked at although it is: a peer that sends faster than
   its bytes are taken would never let it wait. */
static totient_result ready(struct totient_tty *tty, short event, int timeout_ms)
{
    if (tty->file < 0) return TOTIENT_TRANSPORT; /* poll would wait for it */
    struct pollfd watched = {.fd = tty->file, .events = event};
    const int64_t began = now_ms();
    for (int64_t now = began;; now = now_ms()) {
        const int64_t whole_ms = tty->timed ? 2 * (int64_t)tty->timeout_ms : -1;
        const int whole = left(whole_ms, tty->started, now);
        if (whole == 0 || !asked(tty, now)) return TOTIENT_TIMEOUT;
        const int rest = left(timeout_ms, began, now);
        int wait = rest < whole ? rest : whole;
        if (tty->waiting != NULL && wait > ASK_MS) wait = ASK_MS;
        const int outcome = poll(&watched, 1, wait);
        if (outcome > 0) return (watched.revents & event) != 0 ? TOTIENT_OK : TOTIENT_TRANSPORT;
        if (outcome < 0 && errno != EINTR) return TOTIENT_TRANSPORT;
        if (outcome == 0 && rest == 0) return TOTIENT_TIMEOUT;
    }
}

/* Whether a read or a write that has failed may be tried again. */
static bool again(void)
{
    return errno == EINTR || errno == EAGAIN;
}

totient_result totient_tty_read(void *line, uint8_t *byte)
{
    struct totient_tty *tty = line;
    if (tty == NULL || byte == NULL) return TOTIENT_ARGUMENT;
    for (;;) {
        const totient_result result = ready(tty, POLLIN, tty->timeout_ms);
        if (result != TOTIENT_OK) return result;
        const ssize_t count = read(tty->file, byte, 1);
        if (count == 1) return TOTIENT_OK;
        if (count == 0 || !again()) return TOTIENT_TRANSPORT;
    }
}

totient_result totient_tty_write(void *line, const uint8_t *bytes, size_t count)
{
    struct totient_tty *tty = line;
    if (tty == NULL || bytes == NULL) return TOTIENT_ARGUMENT;
    while (count > 0) {
        const totient_result result = ready(tty, POLLOUT, WRITE_MS);
        if (result != TOTIENT_OK) return result;
        const ssize_t written = write(tty->file, bytes, count);
        if (written < 0 && !again()) return TOTIENT_TRANSPORT;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return TOTIENT_OK;
}
