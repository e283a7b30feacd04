/* SPDX-License-Identifier: Apache-2.0 */
/*
 * totientd: owns a token and its device, and serves the module's functions on a socket. Each client
 * is a connection with a thread, and has sessions and a login of its own. The protocol is
 * p11-kit's.
 *
 *     totientd FOLDER SOCKET MODE
 *
 * MODE is the socket's in octal: who may connect may try PINs. Ends by SIGTERM or SIGINT.
 */
#define _GNU_SOURCE                 /* accept4 */
#define P11_KIT_FUTURE_UNSTABLE_API /* the server: it has been the same since p11-kit 0.23 */
#include "token.h"

#include <errno.h>
#include <fcntl.h>
#include <p11-kit/remote.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_CLIENTS = 512, STACK = 512 * 1024, QUEUE = 64 };

/* Bytes of memory that may be written. p11-kit takes as many for a message as the client says.
   Sanitizers take more. */
#ifndef MOST_MEMORY
#define MOST_MEMORY ((rlim_t)2 << 30)
#endif

static __thread struct client *served;
static unsigned clients;

static struct client *of_thread(void)
{
    return served;
}

static void *serve(void *argument)
{
    const int connection = (int)(intptr_t)argument;
    served = client_new();
    if (served != NULL) (void)p11_kit_remote_serve_module(&function_list, connection, connection);
    client_free(served);
    served = NULL;
    (void)close(connection);
    (void)__atomic_sub_fetch(&clients, 1, __ATOMIC_RELAXED);
    return NULL;
}

static int fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "totientd: %s: %s\n", what, why);
    return 2;
}

/* A second daemon on the same token would not see the first one's logins. */
static bool take_folder(const char *folder)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/served", folder);
    if (length < 0 || (size_t)length >= sizeof path) return false;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    return file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
}

static int listen_at(const char *path, mode_t mode)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat status;
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    (void)memcpy(address.sun_path, path, strlen(path) + 1);
    /* What a killed daemon has left: the lock of the folder says that there is none. */
    if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode)) (void)unlink(path);
    const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0) return -1;
    const mode_t before = umask(0177);
    const bool well = bind(listening, (const struct sockaddr *)&address, sizeof address) == 0;
    (void)umask(before);
    if (well && chmod(path, mode) == 0 && listen(listening, QUEUE) == 0) return listening;
    (void)close(listening);
    return -1;
}

/* Accepts clients until a signal comes. */
static void accept_clients(int listening)
{
    pthread_attr_t attributes;
    pthread_t thread;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attributes, STACK);
    for (;;) {
        const int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0) {
            if (errno == EMFILE || errno == ENFILE) (void)usleep(10000);
            continue;
        }
        if (__atomic_add_fetch(&clients, 1, __ATOMIC_RELAXED) > MOST_CLIENTS
            || pthread_create(&thread, &attributes, serve, (void *)(intptr_t)connection) != 0) {
            (void)__atomic_sub_fetch(&clients, 1, __ATOMIC_RELAXED);
            (void)close(connection);
        }
    }
}

static void *accept_in_thread(void *argument)
{
    accept_clients((int)(intptr_t)argument);
    return NULL;
}

/* No key may reach the disk by a core dump or a swapped page, nor another process by ptrace. */
static void protect(void)
{
    const struct rlimit no_core = {0, 0}, memory = {MOST_MEMORY, MOST_MEMORY};
    struct rlimit locked = {RLIM_INFINITY, RLIM_INFINITY};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)setrlimit(RLIMIT_DATA, &memory);
    /* Without the right to raise it, up to where this user may. */
    if (setrlimit(RLIMIT_MEMLOCK, &locked) != 0 && getrlimit(RLIMIT_MEMLOCK, &locked) == 0) {
        locked.rlim_cur = locked.rlim_max;
        (void)setrlimit(RLIMIT_MEMLOCK, &locked);
    }
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* Signals that end the daemon come to one thread alone. */
static void block_signals(sigset_t *signals)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigemptyset(signals);
    (void)sigaddset(signals, SIGTERM);
    (void)sigaddset(signals, SIGINT);
    (void)sigaddset(signals, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, signals, NULL);
}

/* Makes the token ready; not 0: it cannot be served. */
static int begin(const char *folder)
{
    char why[1200];
    store_choose(folder);
    client_of_thread = of_thread;
    if (!take_folder(folder)) return fail(folder, "is no token's folder, or is served already");
    if (module_begin() != CKR_OK) return fail(folder, "the module cannot begin");
    if (token_refresh() != CKR_OK) return fail(folder, "has no token, or a damaged one");
    /* A core may hold keys of a daemon that was killed: opening the device wipes them. */
    if (device_open(why, sizeof why) != CKR_OK) return fail("the device cannot be opened", why);
    return 0;
}

int main(int count, char **words)
{
    sigset_t signals;
    pthread_t thread;
    int number = 0;
    char *end = NULL;
    if (count != 4) return fail("usage", "totientd FOLDER SOCKET MODE");
    const unsigned long mode = strtoul(words[3], &end, 8);
    if (*end != '\0' || end == words[3] || mode > 0777)
        return fail(words[3], "is no mode, allowed is an octal number up to 777");
    protect();
    block_signals(&signals);
    const int failed = begin(words[1]);
    if (failed != 0) return failed;
    const int listening = listen_at(words[2], (mode_t)mode);
    if (listening < 0) return fail(words[2], strerror(errno));
    if (pthread_create(&thread, NULL, accept_in_thread, (void *)(intptr_t)listening) != 0)
        return fail("thread", "cannot be made");
    (void)printf("totientd serves %s\n", words[2]);
    (void)fflush(stdout);
    while (sigwait(&signals, &number) != 0) {
    }
    (void)unlink(words[2]);
    /* Threads of clients may be at work: the keys go first, then all ends at once. */
    token_forget();
    device_end();
    _exit(0);
}
