/* SPDX-License-Identifier: Apache-2.0 */
/* Checks with two processes on one token: what a fork leaves, and what another process changes. */
#define _GNU_SOURCE
#include "checks.h"
#include "token.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 20, RACERS = 4, ROUNDS = 300 };

static CK_UTF8CHAR so_pin[] = "87654321", other_pin[] = "abcdef";

static void lock_path(char *path, size_t room)
{
    REQUIRE(snprintf(path, room, "%s/lock", getenv("TOTIENT_TOKEN")) < (int)room);
}

bool folder_is_locked(void)
{
    char path[ROOM];
    lock_path(path, sizeof path);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    REQUIRE(file >= 0);
    const bool locked = flock(file, LOCK_EX | LOCK_NB) != 0;
    (void)close(file);
    return locked;
}

/* Runs a part of a check in a child, which must end well in time. */
static void in_process(void (*part)(void))
{
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        (void)alarm(PATIENCE);
        part();
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
}

/* --- lock: a fork while another thread has the folder's lock
 * --- */

static void *log_in(void *session)
{
    REQUIRE(p11->C_Login((CK_SESSION_HANDLE)(uintptr_t)session, CKU_USER, pin, sizeof pin - 1)
            == CKR_OK);
    return NULL;
}

/* How many of this process' open files are the lock. */
static size_t open_locks(void)
{
    char path[ROOM], name[ROOM], found[ROOM];
    size_t count = 0;
    lock_path(path, sizeof path);
    DIR *listing = opendir("/proc/self/fd");
    for (const struct dirent *each = readdir(listing); each != NULL; each = readdir(listing)) {
        (void)snprintf(name, sizeof name, "/proc/self/fd/%.16s", each->d_name);
        const ssize_t length = readlink(name, found, sizeof found - 1);
        if (length < 0) continue;
        found[length] = '\0';
        if (strcmp(found, path) == 0) count++;
    }
    (void)closedir(listing);
    return count;
}

static void use_token(void)
{
    REQUIRE(open_locks() == 1); /* else the fork came too late to show anything */
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    REQUIRE(open_locks() == 0);
    (void)open_session();
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

/* A child that has given the lock's number to a file of its own: the module does not close that. */
static void use_number(void)
{
    char path[ROOM], name[ROOM];
    lock_path(path, sizeof path);
    int file = -1;
    for (int i = 3; i < 64 && file < 0; i++) {
        (void)snprintf(name, sizeof name, "/proc/self/fd/%d", i);
        char found[ROOM] = {0};
        if (readlink(name, found, sizeof found - 1) > 0 && strcmp(found, path) == 0) file = i;
    }
    int ends[2];
    REQUIRE(file >= 0 && pipe(ends) == 0 && dup2(ends[1], file) == file);
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    REQUIRE(write(file, "x", 1) == 1);
}

static void fork_in_login(void (*part)(void), bool stays)
{
    pthread_t thread;
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    CK_SESSION_HANDLE session = open_session();
    REQUIRE(pthread_create(&thread, NULL, log_in, (void *)(uintptr_t)session) == 0);
    while (!folder_is_locked()) (void)usleep(1000);
    pid_t child = -1;
    if (stays) {
        child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            (void)sleep(600);
            _exit(0);
        }
    } else {
        in_process(part);
    }
    (void)pthread_join(thread, NULL);
    REQUIRE(!folder_is_locked());
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
    if (child > 0) REQUIRE(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

void check_lock(void)
{
    (void)alarm(4 * PATIENCE); /* a lock that never ends is waited for without an end */
    fork_in_login(NULL, true);
    fork_in_login(use_token, false);
    fork_in_login(use_number, false);
}

/* --- changes: of an object, by two processes
 * --- */

static CK_BYTE id[] = {0x5a};

static CK_OBJECT_HANDLE make_token_secret(CK_SESSION_HANDLE session)
{
    CK_MECHANISM mechanism = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG length = 32;
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &length, sizeof length},
                               {CKA_TOKEN, &yes, 1},
                               {CKA_SENSITIVE, &no, 1},
                               {CKA_ID, id, sizeof id}};
    REQUIRE(p11->C_GenerateKey(session, &mechanism, template, 4, &key) == CKR_OK);
    return key;
}

/* The key of this check; 0: there is none. */
static CK_OBJECT_HANDLE find(CK_SESSION_HANDLE session)
{
    return find_object(session, (CK_ATTRIBUTE){CKA_ID, id, sizeof id});
}

static void make_sensitive(void)
{
    CK_ATTRIBUTE change = {CKA_SENSITIVE, &yes, 1};
    const CK_SESSION_HANDLE session = logged_in();
    REQUIRE(p11->C_SetAttributeValue(session, find(session), &change, 1) == CKR_OK);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

static void destroy(void)
{
    const CK_SESSION_HANDLE session = logged_in();
    REQUIRE(p11->C_DestroyObject(session, find(session)) == CKR_OK);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

void check_changes(void)
{
    const CK_SESSION_HANDLE session = logged_in();
    CK_OBJECT_HANDLE key = make_token_secret(session), copy = 0;
    CK_BBOOL sensitive = CK_FALSE;
    CK_ATTRIBUTE label = {CKA_LABEL, "label", 5};
    CK_ATTRIBUTE read = {CKA_SENSITIVE, &sensitive, 1};
    in_process(make_sensitive);
    REQUIRE(p11->C_SetAttributeValue(session, key, &label, 1) == CKR_OK);
    REQUIRE(p11->C_GetAttributeValue(session, key, &read, 1) == CKR_OK && sensitive == CK_TRUE);
    REQUIRE(p11->C_DestroyObject(session, key) == CKR_OK);
    key = make_token_secret(session);
    in_process(make_sensitive);
    REQUIRE(p11->C_CopyObject(session, key, &label, 1, &copy) == CKR_OK);
    REQUIRE(p11->C_GetAttributeValue(session, copy, &read, 1) == CKR_OK && sensitive == CK_TRUE);
    REQUIRE(p11->C_DestroyObject(session, copy) == CKR_OK);
    in_process(destroy);
    REQUIRE(p11->C_SetAttributeValue(session, key, &label, 1) == CKR_OBJECT_HANDLE_INVALID);
    REQUIRE(p11->C_DestroyObject(session, key) == CKR_OBJECT_HANDLE_INVALID);
    REQUIRE(find(session) == 0);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

/* --- initialised: by another process, while somebody is logged in
 * --- */

static void initialise(void)
{
    CK_UTF8CHAR name[32];
    memset(name, ' ', sizeof name);
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    REQUIRE(p11->C_InitToken(0, so_pin, sizeof so_pin - 1, name) == CKR_OK);
    const CK_SESSION_HANDLE session = open_session();
    REQUIRE(p11->C_InitToken(0, so_pin, sizeof so_pin - 1, name) == CKR_SESSION_EXISTS);
    REQUIRE(p11->C_Login(session, CKU_SO, so_pin, sizeof so_pin - 1) == CKR_OK);
    REQUIRE(p11->C_InitPIN(session, other_pin, sizeof other_pin - 1) == CKR_OK);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

static bool count_private(void *user, struct object *object)
{
    if (object->is_private) ++*(size_t *)user;
    return true;
}

/* Private objects of the token in this process' memory. */
static size_t private_in_memory(void)
{
    size_t count = 0;
    token_each(count_private, &count);
    return count;
}

static CK_STATE state_of(CK_SESSION_HANDLE session)
{
    CK_SESSION_INFO info;
    REQUIRE(p11->C_GetSessionInfo(session, &info) == CKR_OK);
    return info.state;
}

void check_initialised(void)
{
    CK_ATTRIBUTE private = {CKA_PRIVATE, &yes, 1};
    CK_ULONG count = 0;
    CK_OBJECT_HANDLE found = 0;
    /* The officer's key is that of the token that was. */
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    CK_SESSION_HANDLE session = open_session();
    REQUIRE(p11->C_Login(session, CKU_SO, so_pin, sizeof so_pin - 1) == CKR_OK);
    in_process(initialise);
    REQUIRE(p11->C_InitPIN(session, pin, sizeof pin - 1) == CKR_USER_NOT_LOGGED_IN);
    REQUIRE(p11->C_CloseSession(session) == CKR_OK);
    /* The user's login is, too. */
    session = open_session();
    REQUIRE(p11->C_Login(session, CKU_USER, pin, sizeof pin - 1) == CKR_PIN_INCORRECT);
    REQUIRE(p11->C_Login(session, CKU_USER, other_pin, sizeof other_pin - 1) == CKR_OK);
    (void)make_secret(session);
    in_process(initialise);
    const CK_SESSION_HANDLE second = open_session();
    REQUIRE(state_of(session) == CKS_RW_PUBLIC_SESSION);
    REQUIRE(p11->C_Login(second, CKU_USER, other_pin, sizeof other_pin - 1) == CKR_OK);
    REQUIRE(state_of(session) == CKS_RW_USER_FUNCTIONS);
    REQUIRE(p11->C_FindObjectsInit(session, &private, 1) == CKR_OK);
    REQUIRE(p11->C_FindObjects(session, &found, 1, &count) == CKR_OK && count == 0);
    REQUIRE(p11->C_FindObjectsFinal(session) == CKR_OK);
    (void)make_token_secret(second);
    REQUIRE(private_in_memory() == 1);
    REQUIRE(p11->C_Logout(second) == CKR_OK);
    REQUIRE(private_in_memory() == 0);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

/* --- starts: threads of a child initialise the module at once
 * --- */

static pthread_barrier_t ready;
static unsigned long first;

static void *start(void *argument)
{
    (void)argument;
    (void)pthread_barrier_wait(&ready);
    const CK_RV result = p11->C_Initialize(NULL);
    REQUIRE(result == CKR_OK || result == CKR_CRYPTOKI_ALREADY_INITIALIZED);
    if (result == CKR_OK) (void)__atomic_add_fetch(&first, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void start_at_once(void)
{
    pthread_t threads[RACERS];
    REQUIRE(pthread_barrier_init(&ready, NULL, RACERS) == 0);
    for (size_t i = 0; i < RACERS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, start, NULL) == 0);
    for (size_t i = 0; i < RACERS; i++) (void)pthread_join(threads[i], NULL);
    REQUIRE(first == 1);
}

void check_starts(void)
{
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    for (int i = 0; i < ROUNDS; i++) in_process(start_at_once);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}
