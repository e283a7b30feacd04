/* SPDX-License-Identifier: Apache-2.0 */
/* Serial lines, and stream sockets that carry the same bytes. */
#define _DEFAULT_SOURCE /* baud rates above 38,400 */
#include "totient/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "posix_internal.h"

enum { WRITE_MS = 10000, ASK_MS = 100 };

/* A write to a socket whose other end has closed must not end the program (SIGPIPE). */
#ifdef MSG_NOSIGNAL
#define NO_SIGNAL MSG_NOSIGNAL
#else
#define NO_SIGNAL 0 /* the socket has the option SO_NOSIGPIPE instead */
#endif

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

static void begin(struct totient_tty *tty, int timeout_ms)
{
    memset(tty, 0, sizeof *tty);
    tty->file = -1;
    tty->timeout_ms = timeout_ms;
}

/* Closes a line that could not be opened, and keeps the reason. */
static totient_result failed(struct totient_tty *tty)
{
    const int why = errno;
    totient_tty_close(tty);
    errno = why;
    return TOTIENT_TRANSPORT;
}

totient_result totient_tty_open(struct totient_tty *tty, const char *path, uint32_t baud,
                                int timeout_ms)
{
    speed_t speed;
    if (tty == NULL || path == NULL) return TOTIENT_ARGUMENT;
    begin(tty, timeout_ms);
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
    return well ? TOTIENT_OK : failed(tty);
}

void totient_tty_close(struct totient_tty *tty)
{
    if (tty == NULL) return;
    if (tty->file >= 0) (void)close(tty->file);
    tty->file = -1;
}

void totient_tty_start_timer(void *line)
{
    struct totient_tty *tty = line;
    if (tty == NULL) return;
    tty->started = now_ms();
    tty->timed = true;
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

/* Whether a connection that was begun is made. */
static bool connected(struct totient_tty *tty)
{
    int why = 0;
    socklen_t length = sizeof why;
    if (ready(tty, POLLOUT, tty->timeout_ms) == TOTIENT_TIMEOUT) {
        errno = ETIMEDOUT;
        return false;
    }
    if (getsockopt(tty->file, SOL_SOCKET, SO_ERROR, &why, &length) != 0) return false;
    errno = why;
    return why == 0;
}

totient_result totient_unix_open(struct totient_tty *tty, const char *path, int timeout_ms)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (tty == NULL || path == NULL) return TOTIENT_ARGUMENT;
    begin(tty, timeout_ms);
    tty->socket = true;
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof address.sun_path) return TOTIENT_ARGUMENT;
    memcpy(address.sun_path, path, length + 1);
    tty->file = socket(AF_UNIX, SOCK_STREAM, 0);
    if (tty->file < 0) return TOTIENT_TRANSPORT;
    bool well = fcntl(tty->file, F_SETFD, FD_CLOEXEC) == 0 && fcntl(tty->file, F_SETFL, O_NONBLOCK) == 0;
#ifdef SO_NOSIGPIPE
    const int yes = 1;
    well = well && setsockopt(tty->file, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes) == 0;
#endif
    if (well && connect(tty->file, (const struct sockaddr *)&address, sizeof address) != 0)
        well = errno == EINPROGRESS && connected(tty);
    return well ? TOTIENT_OK : failed(tty);
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
        const ssize_t written = tty->socket ? send(tty->file, bytes, count, NO_SIGNAL)
                                            : write(tty->file, bytes, count);
        if (written < 0 && !again()) return TOTIENT_TRANSPORT;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return TOTIENT_OK;
}
